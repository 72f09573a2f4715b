/** What the user's own configuration says of every session, on every surface: hooks, rules, redaction, telemetry. */
import { hookFilesOf, hooksOf } from '../config/hook-commands.ts'
import { howToTurnOn, isOn } from '../config/features.ts'
import type { PermissionPolicy } from '../engine/agent.ts'
import type { Redact, SandboxOptions } from '../engine/engine-context.ts'
import type { Hook } from '../engine/hook.ts'
import {
  denialBy,
  rulesPolicy,
  type Denial,
  type PermissionRules,
} from '../engine/turn/permission-rules.ts'
import type { ToolServerState } from '../engine/tool-server.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { namedSecrets } from '../lib/redact/known.ts'
import type { RedactStream } from '../lib/redact/redact-stream.ts'
import type { LaunchConfig } from '../surfaces/cli/launch-config.ts'
import { defined } from '../lib/defined.ts'
import { startTelemetry } from './wire-telemetry.ts'
import { detectProject } from '../engine/sessions/project.ts'
import type { HomeServices } from '../store/home-services.ts'

type UserParts = {
  readonly hooks: readonly Hook[]
  /** The user's own rules, and then the given policy. */
  policyWith(ask: PermissionPolicy): PermissionPolicy
  readonly denied: Denial
  readonly rules: PermissionRules
  readonly broken?: string
  readonly hookFiles: readonly string[]
  readonly sandbox: SandboxOptions
  readonly keepRewoundDays?: number
  readonly noForks?: string
  readonly redact?: Redact
  readonly redactStream?: () => RedactStream
  readonly redactsPieces: boolean
  readonly mostContinues?: number
  readonly mayCopy?: (bytes: Uint8Array) => boolean
  readonly toolServers: () => Promise<readonly ToolServerState[]>
}

/** `services` are those of the home; sessions whose files a client owns have none. */
export async function userParts(
  config: LaunchConfig,
  {
    fs,
    version,
    services,
  }: { readonly fs: SessionFs; readonly version: string; readonly services?: HomeServices },
): Promise<UserParts> {
  // What was named as secret is to stand nowhere.
  const namesSecrets = namedSecrets.in(process.env).length > 0
  await startTelemetry(config, process.env, version)
  // With a rule that cannot be read no turn starts, and nothing else is let through.
  const rules = config.broken === undefined ? (config.permissions ?? {}) : { deny: DENY_ALL }
  return {
    hooks: ownHooks(config, fs, services),
    policyWith: (ask) => rulesPolicy(rules, ask),
    denied: denialBy(rules),
    rules: config.permissions ?? {},
    hookFiles: hookFilesOf(config),
    sandbox: { setting: config.sandbox ?? 'auto', env: process.env },
    redactsPieces: namesSecrets,
    toolServers: async () => (await import('./look-at-servers.ts')).lookAtServers(config),
    ...defined({
      broken: config.broken,
      mostContinues: config.mostContinues,
      keepRewoundDays: config.retention?.rewoundDays,
      noForks: isOn(config, 'backgroundSessions')
        ? undefined
        : `Sessions are not forked here. ${howToTurnOn('backgroundSessions')}`,
    }),
    ...((config.redaction?.persist === 'on' || namesSecrets) && (await redactOf(fs))),
  }
}

const DENY_ALL = ['shell', 'write', 'read', 'url', 'mcp', 'custom-tool']

export const ownHooks = (
  config: LaunchConfig,
  fs: SessionFs,
  services: HomeServices | undefined,
): readonly Hook[] => [
  ...hooksOf(config),
  ...(services === undefined ? [] : [boardHook(fs, services)]),
]

/** A new session is told what the board holds about its project; it stands with the first message, so it stays what it was. */
const boardHook = (fs: SessionFs, services: HomeServices): Hook => ({
  type: 'sessionStart',
  isOurs: true,
  async run({ isNew, cwd }) {
    if (isNew !== true) return {}
    const { boardNote } = await import('../store/board-note.ts')
    return defined({ note: await boardNote(fs, services, () => detectProject(cwd)) })
  },
})

async function redactOf(
  fs: SessionFs,
): Promise<Pick<UserParts, 'redact' | 'redactStream' | 'mayCopy'>> {
  const { openRedactor } = await import('./open-redactor.ts')
  const redactor = await openRedactor(fs)
  return {
    redact: async (draft) =>
      ({ ...draft, data: redactor.redactJson(draft.data).value }) as typeof draft,
    redactStream: () => redactor.createStream(),
    // A copy with marks in it would be put into the project by an undo.
    mayCopy(bytes) {
      const { found } = redactor.redactText(Buffer.from(bytes).toString())
      return found.length === 0
    },
  }
}
