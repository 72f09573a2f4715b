/** Puts the parts of a server's sessions together: a home, the user's configuration, the store that follows. */
import type { Config } from './config/config-file.ts'
import type { Engine } from './engine/engine.ts'
import { createHost } from './engine/host.ts'
import { rulesPolicy } from './engine/permission-rules.ts'
import { withStore } from './follow-store.ts'
import type { SessionFs } from './fs/session-fs.ts'
import { startTelemetry } from './observe.ts'
import type { OpenedHost } from './surfaces/rpc/parts.ts'
import type { StoreParts } from './store-tools.ts'
import type { Store } from './store/store.ts'
import type { Board } from './store/board.ts'

export type HostParts = {
  readonly fs: SessionFs
  readonly catalogue: Engine
  readonly version: string
  readonly config: Config
  /** Where the store is; sessions whose files a client owns have none. */
  readonly home?: string
}

export async function openHost({
  fs,
  catalogue,
  version,
  config,
  home,
}: HostParts): Promise<OpenedHost> {
  const [{ hooksOf }, { offlineAgent }] = await Promise.all([
    import('./config/hook-commands.ts'),
    import('./agents/offline/offline.ts'),
  ])
  await startTelemetry(config, process.env, version)
  const hooks = hooksOf(config)
  const policyWith: OpenedHost['policyWith'] = (ask) => rulesPolicy(config.permissions ?? {}, ask)
  const bare = createHost({
    fs,
    version,
    hooks,
    agent: offlineAgent(),
    policy: policyWith(() => ({ kind: 'deny', by: 'nobody' })),
    ...(config.redaction?.persist === 'on' && { redact: await redactOf(fs) }),
  })
  if (home === undefined) return { host: bare, hooks, policyWith }
  const followed = withStore(
    { ...catalogue, subscribe: bare.subscribe, stop: bare.stop },
    storesAt(fs, home).store,
  )
  return { host: { ...bare, stop: followed.stop }, hooks, policyWith }
}

/** Opened when first asked for, once. */
export function storesAt(fs: SessionFs, home: string): StoreParts {
  let store: Promise<Store> | undefined
  let board: Promise<Board> | undefined
  const open = () => import('./open-store.ts')
  return {
    fs,
    store: () => (store ??= open().then((it) => it.openStoreAt({ home, onTrouble: () => {} }))),
    board: () => (board ??= open().then((it) => it.openBoardAt(home))),
  }
}

async function redactOf(fs: SessionFs) {
  const { openRedactor } = await import('./open-redactor.ts')
  const redactor = await openRedactor(fs)
  return async <Draft extends { readonly data: unknown }>(draft: Draft) =>
    ({ ...draft, data: (await redactor.redactJson(draft.data)).value }) as Draft
}
