/** `--plain`: the same app, told and answered line by line. Nothing is drawn over, so a screen reader reads it as it comes. */
import { createInterface } from 'node:readline'
import { deferred } from '../../../lib/deferred.ts'
import { createApp } from '../app.ts'
import { plainKeys } from '../commands/keys.ts'
import type { TuiOptions } from '../options.ts'
import { createPaper } from './plain-output.ts'
import { spoken } from './spoken.ts'
import { createLineTaker } from './take-lines.ts'

type PlainStreams = {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** A person types; otherwise the lines come from a file or a program. */
  readonly isInteractive: boolean
  /** `interrupt` is called for a ctrl+c, and says whether something was interrupted. */
  readonly onInterrupt: (interrupt: () => boolean) => Disposable
}

export async function runPlain(options: TuiOptions, streams: PlainStreams): Promise<void> {
  const { signal } = options
  const { promise: left, resolve: quit } = deferred<void>()
  const paper = createPaper(streams.output)
  const app = createApp(options, {
    onChange(message, before) {
      for (const text of spoken(message, before, app.model(), taker.typed())) paper.print(text)
      taker.changed()
    },
    write: (text) => paper.print(`Your message was: ${text}`),
    async copy(text) {
      if (await options.copyOutside(text)) return 'clipboard'
      paper.print(text)
      return 'shown'
    },
    outside: (work) => work(),
    closesPages: false,
    isWriting: () => false,
    isLooking: () => true,
    keys: plainKeys,
    quit,
  })
  const taker = createLineTaker({ ...streams, app, paper, now: options.now, quit })
  const lines = createInterface({ input: streams.input, terminal: false })
  lines.on('line', taker.line)
  lines.once('close', taker.end)
  signal.addEventListener('abort', () => quit(), { once: true })
  using _interrupts = streams.onInterrupt(taker.interrupt)
  paper.print(`Reprise ${options.version}. Type a message; /help lists the commands, /exit leaves.`)
  app.start()
  try {
    if (!signal.aborted) await left
  } finally {
    taker.stop()
    lines.close()
    await app.keep()
    app.conversation.stop()
    const farewell = app.farewell()
    if (farewell !== undefined) paper.print(farewell)
  }
}
