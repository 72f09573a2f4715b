/** The same sessions and commands, line by line: nothing is drawn over, so a screen reader reads it as it comes. */
import { createInterface } from 'node:readline'
import { EngineError } from '../../engine/errors.ts'
import type { SessionId } from '../../format/ids.ts'
import { errorText } from '../../lib/error-text.ts'
import { safeText } from '../../lib/safe-text.ts'
import type { Desk } from './commands/command.ts'
import { commandOf, runCommand } from './commands/table.ts'
import { asksAfterEvent, asksAfterNotice } from '../../state/asks.ts'
import type { Ask } from '../../state/asks.ts'
import type { TuiOptions } from './options.ts'
import { commandIn } from './session/conversation.ts'
import { whenInUse } from './session/in-use.ts'
import { ago } from './view/text.ts'
import { spoken } from './view/spoken.ts'

export type PlainStreams = {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

export async function runPlain(
  options: TuiOptions,
  { input, output }: PlainStreams,
): Promise<void> {
  const { engine, signal } = options
  const lines = createInterface({ input, output, terminal: false })
  const print = (text: string) => void output.write(`${safeText(text, { breaks: 'keep' })}\n`)
  /** Lines that came while nobody asked for one: messages typed ahead. */
  const ahead: string[] = []
  let isClosed = signal.aborted
  let take: ((line: string | undefined) => void) | undefined
  lines.on('line', (line) => (take === undefined ? void ahead.push(line) : take(line)))
  lines.once('close', () => {
    isClosed = true
    take?.(undefined)
  })
  signal.addEventListener('abort', () => lines.close(), { once: true })
  /** An answer is never something that was typed before its question. */
  const readLine = async (question: string): Promise<string | undefined> => {
    if (isClosed) return undefined
    output.write(`${safeText(question)} `)
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    take = resolve
    const line = await promise
    take = undefined
    return line
  }
  const nextMessage = async (): Promise<string | undefined> => ahead.shift() ?? readLine('>')

  let id: SessionId | undefined
  let isSpoken = false
  const leaving = new AbortController()
  let written = options.firstMessage
  let how: NonNullable<Parameters<Desk['send']>[1]> = {}
  let follower = new AbortController()

  const desk: Desk = {
    engine,
    cwd: options.cwd,
    now: options.now,
    permissions: options.permissions,
    session: () => (isSpoken ? id : undefined),
    live: async () => (id ??= await engine.create({ cwd: options.cwd, ...wishes(options) })),
    say: print,
    page: (title, text) => print(`${title}\n${readable(text)}`),
    async choose(title, choices) {
      print(title)
      choices.forEach(({ label, detail }, at) =>
        print(`${at + 1}. ${label}${detail === undefined ? '' : ` (${detail})`}`),
      )
      return choices[Number(await readLine('Which number? Nothing leaves:')) - 1]?.value
    },
    async chooseDeed(title, choices, deeds) {
      const value = await desk.choose(
        title,
        choices.map(({ value: each, ...option }) => ({ ...option, value: { each } })),
      )
      if (value === undefined) return undefined
      const deed = await desk.choose(
        'What?',
        deeds.map(([key, what]) => ({ label: what, value: key })),
      )
      return deed === undefined ? undefined : { value: value.each, deed }
    },
    confirm: async (question) => /^y(es)?$/i.test((await readLine(`${question} yes or no:`)) ?? ''),
    ask: (question) => readLine(`${question}:`),
    async open(wanted) {
      follower.abort()
      id = wanted
      isSpoken = wanted !== undefined
      if (wanted === undefined) return print('A new session.')
      await engine.resume(wanted, { cwd: options.cwd })
      print(`Session ${wanted.slice(0, 8)} is open.`)
    },
    async pick() {
      const sessions = (await engine.list()).slice(0, 20)
      const wanted = await desk.choose(
        'Sessions',
        sessions.map((each) => ({
          label: each.name || each.summary || each.id.slice(0, 8),
          detail: ago(each.modifiedAt, options.now()),
          value: each.id,
        })),
      )
      if (wanted !== undefined) await desk.open(wanted)
    },
    write: (text) => (written = text),
    send(text, given = {}) {
      written = text
      how = given
    },
    agents: options.agents,
    past: options.past,
    working() {},
    refresh: async () => {},
    quit: () => leaving.abort(),
  }

  async function speak(text: string): Promise<void> {
    const wanted = await desk.live()
    const command = commandIn(text)
    follower = new AbortController()
    const { signal: ended } = follower
    const watching = watch(wanted, { fromNow: isSpoken, isLoud: command !== undefined }, ended)
    const cancel = () => void engine.cancel(wanted)
    signal.addEventListener('abort', cancel, { once: true })
    isSpoken = true
    try {
      const given = how
      const { whenBusy: _whenBusy, ...waiting } = given
      how = {}
      const outcome: { readonly status: string; readonly error?: string } =
        command === undefined
          ? await engine.sendAnywhere(wanted, { prompt: text }, given)
          : await engine.runTool(wanted, { toolName: 'bash', arguments: { command } }, waiting)
      const { status, error } = outcome
      // What was handed to another process is answered there, and nothing here tells its end.
      if (status === 'steered' || status === 'queued') follower.abort()
      if (status !== 'completed') print(`${status}${error === undefined ? '' : `: ${error}`}`)
    } catch (error) {
      if (error instanceof EngineError && error.code === 'in_use')
        await whenInUse(desk, text, error)
      else throw error
    } finally {
      signal.removeEventListener('abort', cancel)
      await watching.idle
      follower.abort()
    }
  }

  function watch(
    wanted: SessionId,
    { fromNow, isLoud }: { readonly fromNow: boolean; readonly isLoud: boolean },
    ended: AbortSignal,
  ): { readonly idle: Promise<void> } {
    const { promise: idle, resolve } = Promise.withResolvers<void>()
    const run = async () => {
      let asks: readonly Ask[] = []
      for await (const item of engine.follow(wanted, { signal: ended, fromNow })) {
        const text = spoken(item, { withOutput: isLoud })
        if (text !== undefined) print(text)
        asks =
          item.kind === 'event'
            ? asksAfterEvent(asks, item.event)
            : item.kind === 'notice'
              ? asksAfterNotice(asks, item.notice)
              : asks
        const [ask] = asks
        if (ask !== undefined) {
          asks = []
          await answer(wanted, ask)
        }
        if (item.kind === 'notice' && item.notice.type === 'session.idle') resolve()
      }
    }
    run()
      .catch((error: unknown) => print(String(error)))
      .finally(resolve)
    return { idle }
  }

  async function answer(wanted: SessionId, ask: Ask): Promise<void> {
    if (ask.kind === 'permission' && options.permissions.allowAll) return
    print(`${ask.what}${ask.kind === 'permission' && ask.body !== '' ? `\n${ask.body}` : ''}`)
    if (ask.kind === 'question') ask.choices.forEach((choice, at) => print(`${at + 1}. ${choice}`))
    const said =
      (await readLine(ask.kind === 'permission' ? 'Allow it? yes, no, always:' : 'Your answer:')) ??
      ''
    try {
      if (ask.kind === 'question')
        engine.answerQuestion(wanted, ask.requestId, ask.choices[Number(said) - 1] ?? said)
      else {
        const kind = /^y(es)?$/i.test(said)
          ? 'allow'
          : /^a(lways)?$/i.test(said)
            ? 'allow-for-session'
            : 'deny'
        engine.answer(wanted, ask.requestId, { kind, by: 'person' })
      }
    } catch (error) {
      // It was settled while the person was thinking.
      if (!(error instanceof EngineError && error.code === 'not_found')) throw error
    }
  }

  try {
    print(`Reprise ${options.version}. Type a message; /help lists the commands, /exit leaves.`)
    if (options.start.kind === 'open')
      await (options.start.isNew ? (id = options.start.id) : desk.open(options.start.id))
    if (options.start.kind === 'pick') await desk.pick()
    while (!leaving.signal.aborted && !signal.aborted) {
      const text = written ?? (await nextMessage())
      written = undefined
      if (text === undefined) break
      if (text.trim() === '') continue
      const command = commandOf(text)
      if (command !== undefined) await runCommand(desk, command)
      else await speak(text).catch((error: unknown) => print(errorText(error)))
    }
  } finally {
    follower.abort()
    lines.close()
  }
}

/** Without what is only there to be seen. */
const readable = (markdown: string): string =>
  markdown.replace(/^~~~~.*\n?/gm, '').replace(/ *[█░]+ */g, ' ')

const wishes = ({ start }: TuiOptions): { name?: string; model?: string } => {
  if (start.kind !== 'new') return {}
  const { kind: _kind, ...rest } = start
  return rest
}
