/** Puts the parts of a server's sessions together: a home, the user's configuration, the store that follows. */
import { offlineAgent } from '../agents/offline/offline.ts'
import type { Config } from '../config/config-file.ts'
import { createEngine } from '../engine/engine.ts'
import { withRemote } from './follow-remote.ts'
import { withStore } from './follow-store.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { lazyUserTools } from './lazy-user-tools.ts'
import { defined } from '../lib/defined.ts'
import { withTelemetry } from './wire-telemetry.ts'
import type { HomeServices } from '../store/home-services.ts'
import type { LaunchConfig } from '../surfaces/cli/launch-config.ts'
import type { OpenedHost } from '../surfaces/rpc/parts.ts'
import { ownHooks, userParts } from './user-parts.ts'

export type HostParts = {
  readonly fs: SessionFs
  readonly cwd: string
  readonly version: string
  readonly config: LaunchConfig
  /** As it is by now. */
  readonly configNow: () => Promise<Config>
  /** Sessions whose files a client owns have none. */
  readonly services?: HomeServices
}

export async function openHost({
  fs,
  cwd,
  version,
  config,
  configNow,
  services,
}: HostParts): Promise<OpenedHost> {
  const { policyWith, ...parts } = await userParts(config, {
    fs,
    version,
    ...defined({ services }),
  })
  const engine = createEngine({
    fs,
    version,
    ...parts,
    cwd,
    trackFiles: true,
    closesUnused: true,
    answersQuestions: true,
    agent: offlineAgent(),
    userTools: lazyUserTools(),
    policy: policyWith(() => ({ kind: 'deny', by: 'nobody' })),
  })
  const hooks = async () => ownHooks(await configNow(), fs, services)
  const { answerWaitMinutes: minutes } = config
  const own = { policyWith, hooks, ...(minutes !== undefined && { answerMs: minutes * 60_000 }) }
  if (services === undefined) return { engine, ...own }
  const followed = withRemote(withStore(engine, services), process.env, config.mostRemote)
  return { engine: withTelemetry(followed), ...own, services }
}
