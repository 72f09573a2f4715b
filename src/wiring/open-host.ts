/** Puts the parts of a server's sessions together: a home, the user's configuration, the store that follows. */
import { offlineAgent } from '../agents/offline/offline.ts'
import type { Config } from '../config/config-file.ts'
import type { Engine } from '../engine/engine.ts'
import { createHost } from '../engine/host.ts'
import { withStore } from './follow-store.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { laterTools } from './later-tools.ts'
import { defined } from '../lib/defined.ts'
import { withTelemetry } from './wire-telemetry.ts'
import type { StoreParts } from './store-tools.ts'
import type { OpenedHost } from '../surfaces/rpc/parts.ts'
import { userParts } from './user-parts.ts'

export type HostParts = {
  readonly fs: SessionFs
  readonly catalogue: Engine
  readonly version: string
  readonly config: Config
  /** Sessions whose files a client owns have none. */
  readonly stores?: StoreParts
}

export async function openHost({
  fs,
  catalogue,
  version,
  config,
  stores,
}: HostParts): Promise<OpenedHost> {
  const { policyWith, ...parts } = await userParts(config, {
    fs,
    version,
    ...defined({ stores }),
  })
  const host = createHost({
    fs,
    version,
    ...parts,
    agent: offlineAgent(),
    userTools: laterTools(),
    policy: policyWith(() => ({ kind: 'deny', by: 'nobody' })),
  })
  if (stores === undefined) return { host, policyWith, hooks: parts.hooks }
  const told = { ...catalogue, subscribe: host.subscribe, stop: host.stop }
  const { stop } = withTelemetry(withStore(told, stores))
  return { host: { ...host, stop }, policyWith, hooks: parts.hooks }
}
