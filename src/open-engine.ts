/** Puts the parts together: a home on disk, the engine, the user's configuration, and an agent. */
import type { Agent, PermissionPolicy } from './engine/agent.ts'
import { createEngine } from './engine/engine.ts'
import type { Engine, Prepared } from './engine/engine.ts'
import { openDisk } from './fs/disk.ts'
import type { Hook } from './engine/hooks.ts'
import type { SessionFs } from './fs/session-fs.ts'
import type { StoreParts } from './store-tools.ts'
import { BOARD } from './store/board-file.ts'
import type { Board } from './store/board.ts'
import type { Store } from './store/store.ts'
import { withStore } from './follow-store.ts'
import { findHome } from './home.ts'
import { keepDiagnostics, startTelemetry, withTelemetry } from './observe.ts'

export type OpenOptions = {
  /** Where sessions live. Default: $REPRISE_HOME, $COPILOT_HOME, ~/.reprise. */
  readonly home?: string
  /** In place of a home on disk. */
  readonly fs?: SessionFs
  /** Who answers. Default: the offline agent. */
  readonly agent?: Agent
  /** Decides what the agent may do. Default: ask whoever follows the session. */
  readonly policy?: PermissionPolicy
  readonly clientName?: string
  readonly durability?: 'synced' | 'debounced'
  readonly answersQuestions?: boolean
  /** Record what tools change in the project, so that a rewind can take it back. */
  readonly trackFiles?: boolean
}

/** For programs: what is given and nothing else; no configuration is read. */
export async function openEngine({ home, fs, agent, ...rest }: OpenOptions = {}): Promise<Engine> {
  return createEngine({
    ...rest,
    ...version(),
    fs: fs ?? openDisk(findHome(home).path),
    prepare: async () => ({
      agent: agent ?? (await import('./agents/offline/offline.ts')).offlineAgent(),
      ...(rest.policy !== undefined && { policy: rest.policy }),
    }),
  })
}

/** For people: with the configuration of their home, its hooks and rules, and the agent that it or they choose. */
export function openConfiguredEngine(
  options: Omit<OpenOptions, 'agent' | 'fs'> & {
    readonly home: string
    readonly agent?: string
    readonly model?: string
  },
): Engine {
  const { home, agent, model, policy = () => 'ask', ...rest } = options
  const fs = openDisk(home)
  const stores = storesOf(fs, home)
  const prepare = async (): Promise<Prepared> => {
    const [{ loadConfig }, { hooksOf }, { rulesPolicy }, chosen] = await Promise.all([
      import('./config/load.ts'),
      import('./config/hook-commands.ts'),
      import('./engine/permission-rules.ts'),
      import('./choose-agent.ts'),
    ])
    const { config, instructions } = await loadConfig(fs)
    keepDiagnostics(home, process.env)
    await startTelemetry(config, process.env, version().version ?? 'source')
    const wishes = { ...(agent !== undefined && { agent }), ...(model !== undefined && { model }) }
    const choice = chosen.chooseAgent(wishes, config, process.env, chosen.isOnPath)
    return {
      agent: await chosen.makeAgent(choice, config, { instructions, stores }),
      policy: rulesPolicy(config.permissions ?? {}, policy),
      hooks: [...hooksOf(config), boardHook(stores)],
      ...(config.redaction?.persist === 'on' && { redact: await redactOf(fs) }),
    }
  }
  const engine = createEngine({ trackFiles: true, ...rest, ...version(), fs, prepare })
  return withTelemetry(withStore(engine, stores.store))
}

/** Opened when first asked for, once. */
function storesOf(fs: SessionFs, home: string): StoreParts {
  let store: Promise<Store> | undefined
  let board: Promise<Board> | undefined
  return {
    fs,
    store: () =>
      (store ??= import('./open-store.ts').then(({ openStoreAt }) =>
        openStoreAt({ home, onTrouble: () => {} }),
      )),
    board: () => (board ??= import('./open-store.ts').then(({ openBoardAt }) => openBoardAt(home))),
  }
}

const BOARD_TOKENS = 1_500

/** A new session is told what the board holds about its project; it stands with the first message, so it stays what it was. */
const boardHook = ({ fs, board }: StoreParts): Hook => ({
  type: 'sessionStart',
  isOurs: true,
  async run({ isNew, cwd }) {
    if (isNew !== true || (await fs.stat(BOARD)) === undefined) return {}
    const { boardPlace } = await import('./store-tools.ts')
    const note = await (await board()).context(await boardPlace(cwd), BOARD_TOKENS)
    return note === undefined ? {} : { note }
  },
})

async function redactOf(fs: SessionFs): Promise<NonNullable<Prepared['redact']>> {
  const { openRedactor } = await import('./open-redactor.ts')
  const redactor = await openRedactor(fs)
  return async (draft) =>
    ({ ...draft, data: (await redactor.redactJson(draft.data)).value }) as typeof draft
}

const version = () => (typeof REPRISE_VERSION === 'string' ? { version: REPRISE_VERSION } : {})
