/** The terminal without a terminal: the model, the session, the questions and the commands, put together. */
import type { Desk } from './commands/command.ts'
import { commandOf, runCommand } from './commands/table.ts'
import { createDialogs } from './dialogs.ts'
import { promptHistory } from './editor/history.ts'
import { createPastes } from './editor/paste.ts'
import { initialModel } from './model/model.ts'
import type { Model } from './model/model.ts'
import { update } from './model/update.ts'
import type { Message } from './model/update.ts'
import type { TuiOptions } from './options.ts'
import { relevance } from '../../state/relevance.ts'
import { errorText } from '../../lib/error-text.ts'
import { runPicker } from './picker/run-picker.ts'
import { createConversation } from './session/conversation.ts'
import { whenInUse } from './session/in-use.ts'

export type App = ReturnType<typeof createApp>

export type AppSurface = {
  /** The model changed: soon enough, or at once because a key did it. */
  readonly onChange: (message: Message) => void
  readonly write: (text: string) => void
  readonly quit: () => void
}

export function createApp(options: TuiOptions, surface: AppSurface) {
  const { engine } = options
  let model = initialModel(options)
  const getModel = (): Model => model
  const tell = (message: Message) => {
    model = update(model, message)
    surface.onChange(message)
  }
  const dialogs = createDialogs(getModel, tell)
  const pastes = createPastes(() => `pasted-${crypto.randomUUID().slice(0, 8)}.txt`)
  const history = promptHistory(engine.fs)
  const conversation = createConversation({
    ...options,
    model: getModel,
    tell,
    pastes,
    onInUse: (text, error) => whenInUse(desk, text, error),
  })

  const desk: Desk = {
    engine,
    cwd: options.cwd,
    now: options.now,
    permissions: options.permissions,
    session: conversation.spokenTo,
    live: conversation.live,
    say: (text, tone = 'plain') => tell({ kind: 'say', text, tone }),
    page: (title, text) => tell({ kind: 'page', page: { title, text, top: 0 } }),
    ...dialogs,
    open: (id, turn) => conversation.open(id, turn === undefined ? {} : { turn }),
    pick: () => picker.open(),
    write: surface.write,
    send: (text, how) => void conversation.send(text, { whenBusy: 'enqueue', ...how }),
    agents: options.agents,
    past: options.past,
    working: (what) => tell({ kind: 'work', what }),
    refresh: conversation.refresh,
    quit: surface.quit,
  }
  const picker = runPicker({ desk, model: getModel, tell })

  const failed = (error: unknown) => desk.say(errorText(error), 'bad')

  async function begin(): Promise<void> {
    const { start } = options
    await (start.kind === 'open'
      ? conversation.open(start.id, { isNew: start.isNew })
      : start.kind === 'pick'
        ? picker.open(start.filter)
        : conversation.live())
  }

  /** What the greeting tells, found behind the first frame. */
  async function lookAround(): Promise<void> {
    const [sessions, here] = await Promise.all([engine.list(), engine.project(options.cwd)])
    const near = sessions.filter((session) => relevance(session, here).score > 0).length
    tell({ kind: 'found', found: { sessions: sessions.length, here: near } })
    tell({ kind: 'found', found: await options.lookAround() })
  }

  function submit(text: string): void {
    const [ask] = model.asks
    if (text.trim() === '') return conversation.resumeQueue()
    if (ask?.kind === 'question') return conversation.answerQuestion(ask.requestId, text)
    history.add(text).catch(() => {})
    const command = commandOf(text)
    if (command !== undefined) void runCommand(desk, command)
    else void conversation.send(text, { whenBusy: 'enqueue' })
  }

  return {
    model: getModel,
    tell,
    desk,
    dialogs,
    picker,
    pastes,
    history,
    conversation,
    submit,
    command: (text: string) => {
      const typed = commandOf(text)
      if (typed !== undefined) void runCommand(desk, typed)
    },
    start() {
      const { firstMessage = '' } = options
      begin()
        .then(() => (firstMessage === '' ? undefined : submit(firstMessage)))
        .catch(failed)
      lookAround().catch(failed)
    },
  }
}
