/** The terminal without a view: the model, the session, the questions and the commands, put together. */
import { namesOf } from '../../commands/fields.ts'
import { tableWith, type Offered } from '../../commands/offered.ts'
import { readTyped } from '../../commands/read-typed.ts'
import { table } from '../../commands/table.ts'
import { userCommandsIn } from '../../commands/user-commands.ts'
import type { CommandContext } from '../../commands/command.ts'
import type { CommandHost } from './commands/command.ts'
import { createCommandContext, type Outside } from './commands/screen-context.ts'
import { mayBeUsed } from './commands/consent-view.ts'
import { createOrder } from './commands/in-order.ts'
import { nextMode } from './commands/next-mode.ts'
import { runCommand } from './commands/run.ts'
import { createDialogs } from './dialogs.ts'
import { createLookAround } from './startup-probe.ts'
import { promptHistory } from '../../engine/sessions/prompt-history.ts'
import { createPastes } from './editor/paste.ts'
import { initialModel, type Model } from './model/model.ts'
import { update } from './model/update.ts'
import type { Message } from './model/message.ts'
import type { TuiOptions } from './options.ts'
import { preview } from '../../state/preview.ts'
import { deferred } from '../../lib/deferred.ts'
import { errorText } from '../../lib/error-text.ts'
import { runPicker } from './picker/run-picker.ts'
import { createConversation } from './session/conversation.ts'
import { whenInUse } from './session/in-use.ts'
import { whenInOtherProject } from './session/other-project.ts'

export type App = ReturnType<typeof createApp>

/** What the whole screen and `--plain` each do in their own way. */
type View = {
  /** The model was another one before this message. */
  readonly onChange: (message: Message, before: Model) => void
  readonly write: CommandHost['write']
  readonly copy: CommandHost['copy']
  /** A person has it before them, as far as it is known. */
  readonly isLooking: () => boolean
  /** A message is being written. */
  readonly isWriting: () => boolean
  /** A page stays until a key closes it; otherwise it is printed. */
  readonly closesPages: boolean
  readonly keys: CommandHost['keys']
  readonly look?: NonNullable<CommandContext['look']>
  readonly quit: () => void
  readonly outside: Outside
}

export function createApp(options: TuiOptions, view: View) {
  const { engine } = options
  let model = initialModel(options)
  const getModel = (): Model => model
  let whenRead: () => void = () => {}
  const tell = (message: Message) => {
    const before = model
    model = update(before, message)
    view.onChange(message, before)
    if (message.kind === 'page' && message.page === undefined) whenRead()
  }
  const dialogs = createDialogs(getModel, tell)
  const pastes = createPastes(() => `pasted-${crypto.randomUUID().slice(0, 8)}.txt`)
  const history = promptHistory(engine)
  const conversation = createConversation({
    ...options,
    model: getModel,
    tell,
    pastes,
    isLooking: () => view.isLooking(),
    giveBack: view.write,
    onInUse: (text, error) => whenInUse(host, text, error),
    onOtherProject: (there) => whenInOtherProject(host, there),
  })

  const own = table.filter(({ needs }) => needs !== 'look' || view.look !== undefined)
  const host: CommandHost = {
    engine,
    agents: options.agents,
    cwd: options.cwd,
    now: options.now,
    keys: view.keys,
    table: () => tableWith(own, [...model.offered, ...model.ofFiles]),
    context: (command, on) => contextOf(command, on),
    store: options.past.store,
    session: conversation.spokenTo,
    say: (text, tone = 'plain') => tell({ kind: 'say', text, tone }),
    page(title, text) {
      tell({ kind: 'page', page: { title, text, top: 0 } })
      if (!view.closesPages) return Promise.resolve()
      const { promise, resolve } = deferred<void>()
      whenRead = resolve
      return promise
    },
    ...dialogs,
    offer: async (title, choices) => (view.isWriting() ? undefined : dialogs.offer(title, choices)),
    async open(id, turn) {
      await conversation.open(id, turn === undefined ? {} : { turn })
      if (id === undefined) await around.countSessions()
    },
    pick: () => picker.open(),
    write: view.write,
    copy: view.copy,
    send: (text, how) => conversation.send(text, { whenBusy: 'enqueue', ...how }),
    refresh: conversation.refresh,
    answersNow: conversation.chose,
    working: (what) => tell({ kind: 'work', what }),
  }
  const contextOf = createCommandContext({ options, host, conversation, tell, view })
  const picker = runPicker({ host, model: getModel, tell })

  /** What is under way is counted until it is done; what fails is said. */
  function track(work: Promise<void>): void {
    tell({ kind: 'started' })
    work
      .catch((error: unknown) => host.say(errorText(error), 'bad'))
      .finally(() => tell({ kind: 'finished' }))
  }

  async function begin(): Promise<void> {
    const { start } = options
    await (start.kind === 'open'
      ? conversation.open(start.id, { isNew: start.isNew })
      : start.kind === 'pick'
        ? picker.open({ filter: start.filter, which: start.which, leave: view.quit })
        : conversation.live())
  }

  /** Files of commands come, change and go while the terminal is open. */
  async function readCommands(): Promise<void> {
    const commands = await userCommandsIn(engine, options.cwd)
    if (!areSame(commands, model.ofFiles)) tell({ kind: 'of-files', commands })
  }

  /** Runs a slash command or sends a message, without an answer to what is asked. */
  function perform(text: string): void {
    track(run(text))
  }

  /** The command of a project's file that is meant; one of ours or of the agent has its name first. */
  function commandOfProject(text: string, ofFiles: Model['ofFiles']): Offered | undefined {
    const name = /^\/(\S+)/.exec(text)?.[1]
    const isTaken = [...own.flatMap(namesOf), ...model.offered.map((each) => each.name)].includes(
      name ?? '',
    )
    return isTaken ? undefined : ofFiles.find((each) => each.name === name)
  }

  const around = createLookAround({ options, host, view, model: getModel, tell, readCommands })

  const inOrder = createOrder(own)
  const run = (text: string, how?: { readonly whenBusy: 'steer' }): Promise<void> =>
    inOrder.run(text, (stages) => runNext(text, { ...how, ...stages }))

  async function runNext(text: string, how: Parameters<CommandHost['send']>[1]): Promise<void> {
    if (/^\/[^/\s]/.test(text)) await readCommands()
    const { given } = await readTyped(text, [host.table])
    if ('message' in given) {
      if (await mayBeUsed(host, options.allowedCommands, commandOfProject(text, model.ofFiles)))
        await host.send(given.message, how)
      return
    }
    const work = () => runCommand(host, given)
    await (given.command.changes === 'turn' ? conversation.beginning(work) : work())
    tell({ kind: 'allowed', allowsAll: options.permissions.allowAll })
  }

  return {
    model: getModel,
    tell,
    dialogs,
    picker,
    pastes,
    history,
    conversation,
    perform,
    track,
    /** An earlier message, chosen by what is typed. */
    searchHistory(): void {
      track(
        history.load().then(async (texts) => {
          const choices = texts
            .toReversed()
            .map((each) => ({ label: preview(each, 200), value: each }))
          const text = await dialogs.choose('Your messages, newest first', choices)
          if (text !== undefined) view.write(text)
        }),
      )
    },
    nextMode(): void {
      track(inOrder.run('/mode', () => nextMode(host, model.session.mode, tell)))
    },
    table: host.table,
    readCommands: () => void readCommands().catch(() => {}), // those that are known stay
    /** What was typed and sent off with enter. */
    submit(text: string): void {
      const [ask] = model.asks
      if (text.trim() === '') return conversation.resumeQueue()
      // A number that was typed before the list took keys means its place.
      if (ask?.kind === 'question')
        return conversation.answerQuestion(
          ask.requestId,
          ask.choices[Number(text.trim()) - 1] ?? text,
        )
      // Earlier messages are a convenience; without them everything else works.
      history.add(text).catch(() => {})
      perform(text)
    },
    steer(text: string): void {
      if (text.trim() !== '') track(run(text, { whenBusy: 'steer' }))
    },
    start() {
      const { firstMessage = '', permissions } = options
      tell({ kind: 'allowed', allowsAll: permissions.allowAll })
      track(begin().then(() => (firstMessage === '' ? undefined : perform(firstMessage))))
      track(around.look())
    },
    /** What was typed is kept before the terminal ends; `draft` was never sent, and is there with the next start. */
    async keep(draft = ''): Promise<void> {
      // Earlier messages are a convenience; without them everything else works.
      await Promise.all([inOrder.taken(), history.add(draft).catch(() => {})])
    },
    /** What is said at the very end. */
    farewell(): string | undefined {
      const id = conversation.spokenTo()
      return id && `reprise --resume ${id.slice(0, 8)} goes on with this session`
    },
  }
}

/** By name, and by what each would send. */
function areSame(some: readonly Offered[], others: readonly Offered[]): boolean {
  const told = (all: readonly Offered[]) =>
    all.map(({ name, summary, hint, message }) => [name, summary, hint, message?.('')].join('\0'))
  return told(some).join('\0') === told(others).join('\0')
}
