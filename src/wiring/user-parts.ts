/** What the user's own configuration says of every session, whoever serves it: hooks, rules, redaction, telemetry. */
import { hookFilesOf, hooksOf } from '../config/hook-commands.ts'
import type { PermissionPolicy } from '../engine/agent.ts'
import type { Redact } from '../engine/context.ts'
import type { Hook } from '../engine/hook.ts'
import { denialBy, rulesPolicy } from '../engine/turn/permission-rules.ts'
import type { Denial, PermissionRules } from '../engine/turn/permission-rules.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { RedactStream } from '../lib/redact/redact-stream.ts'
import { boardHook } from './home-stores.ts'
import type { LaunchConfig } from './launch-config.ts'
import { startTelemetry } from './wire-telemetry.ts'
import type { StoreParts } from './store-tools.ts'

export type UserParts = {
  readonly hooks: readonly Hook[]
  /** The user's own rules, and then whoever is asked. */
  policyWith(ask: PermissionPolicy): PermissionPolicy
  readonly denied: Denial
  readonly rules: PermissionRules
  readonly hookFiles: readonly string[]
  readonly redact?: Redact
  readonly redactStream?: () => RedactStream
}

/** `stores` are those of the home; sessions whose files somebody else owns have none. */
export async function userParts(
  config: LaunchConfig,
  {
    fs,
    version,
    stores,
  }: { readonly fs: SessionFs; readonly version: string; readonly stores?: StoreParts },
): Promise<UserParts> {
  await startTelemetry(config, process.env, version)
  return {
    hooks: [...hooksOf(config), ...(stores === undefined ? [] : [boardHook(stores)])],
    policyWith: (ask) => rulesPolicy(config.permissions ?? {}, ask),
    denied: denialBy(config.permissions ?? {}),
    rules: config.permissions ?? {},
    hookFiles: hookFilesOf(config),
    ...(config.redaction?.persist === 'on' && (await redactOf(fs))),
  }
}

async function redactOf(fs: SessionFs): Promise<Pick<UserParts, 'redact' | 'redactStream'>> {
  const { openRedactor } = await import('./open-redactor.ts')
  const redactor = await openRedactor(fs)
  const loaded = await redactor.load()
  return {
    redact: async (draft) =>
      ({ ...draft, data: (await redactor.redactJson(draft.data)).value }) as typeof draft,
    redactStream: () => loaded.createStream(),
  }
}
