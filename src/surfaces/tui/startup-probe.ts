/** What is there, found behind the first frame: sessions, agents, and for a new user a way around. */
import { firstRun } from './commands/connect-view.ts'
import type { CommandHost } from './commands/command.ts'
import type { Message } from './model/message.ts'
import type { Model } from './model/model.ts'
import type { TuiOptions } from './options.ts'
import { offerReopen } from './session/offer-reopen.ts'

type LookOptions = {
  readonly options: TuiOptions
  readonly host: CommandHost
  readonly view: { readonly isWriting: () => boolean }
  readonly model: () => Model
  readonly tell: (message: Message) => void
  readonly readCommands: () => Promise<void>
}

export function createLookAround({ options, host, view, model, tell, readCommands }: LookOptions) {
  const { engine, agents, start, firstMessage } = options

  async function countSessions(): Promise<void> {
    const here = await engine.project(options.cwd)
    const { total, near } = await engine.nearest(here, { limit: 0 })
    tell({ kind: 'found', found: { sessions: total, here: near, isNewcomer: false } })
  }

  /** Shown around once; with nothing configured, the agent is chosen. */
  async function welcome(): Promise<void> {
    const [isKnown, { isChosen = true }] = await Promise.all([
      agents.welcomed(),
      agents.answering({}).catch(() => ({ isChosen: true })),
    ])
    if (isKnown || start.kind !== 'new') return
    tell({ kind: 'found', found: { isNewcomer: true } })
    if (!isChosen && firstMessage === undefined && model().window.items.length === 0)
      await firstRun(host)
  }

  return {
    countSessions,
    async look(): Promise<void> {
      await countSessions()
      await readCommands()
      tell({ kind: 'found', found: await options.lookAround() })
      await welcome()
      const isQuiet =
        firstMessage === undefined && model().window.items.length === 0 && !view.isWriting()
      await offerReopen(host, {
        mayAsk: start.kind === 'new' && isQuiet && model().dialog === undefined,
      })
    },
  }
}
