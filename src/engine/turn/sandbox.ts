/**
 * The sandbox of the system around the commands of a session: which walls stand when a command starts, whether it may
 * run outside of them, and what is told where there is none.
 */
import type { PermissionRequest, Sandbox } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { note } from '../live/log-annotation.ts'
import type { LiveSession } from '../live/live-session.ts'
import { wallBuilder, type Enclosed, type WallBuilder } from '../permission/walls.ts'
import { childEnvironment } from '../../lib/child-environment.ts'
import { refusalIn } from '../../lib/sandbox/refusal.ts'
import { systemSandbox } from '../../lib/sandbox/system-sandbox.ts'
import { askPermission, mayLeaveSandbox, ownFiles } from './answer.ts'
import { withoutSandbox } from './sandbox-standing.ts'

/** Undefined where the setting is `off`, or none was given. */
export function sandboxFor(
  engine: EngineContext,
  session: LiveSession,
  signal: AbortSignal,
): Sandbox | undefined {
  const { sandbox: wanted } = engine
  if (wanted === undefined || wanted.setting === 'off') return undefined
  return {
    async enclose({ request, env }) {
      const system = await systemSandbox()
      if ('missing' in system) {
        if (wanted.setting === 'on') throw noSandbox(system.missing)
        await tellOnce(engine, session, system.missing)
        return undefined
      }
      if (await isLetOut(engine, session, { request, env, signal })) return undefined
      const { cwd = session.project.cwd, text } = commandOf(request, session)
      const { walls, masked, isWhole } = await builderFor(engine, session).build(text, wanted.env)
      const isRoot = process.getuid?.() === 0
      return {
        start: await system.enclose(walls, cwd),
        isWhole,
        refusal: (ended) => refusalIn(ended, { masked, network: walls.network, isRoot }),
      }
    },
  }
}

const commandOf = (request: PermissionRequest, { project }: LiveSession) =>
  request.kind === 'shell'
    ? { text: request.fullCommandText, cwd: request.resolvedWorkingDirectory ?? project.cwd }
    : { text: '', cwd: project.cwd }

const noSandbox = (missing: string) =>
  new EngineError(
    'invalid',
    `Commands are run in a sandbox only, because sandbox is on, and there is none: ${missing} Nothing was run. "reprise config set sandbox auto" runs them without one.`,
  )

/** A rule or a grant lets its programs out: it does not fail first. What decided is recorded as for any request. */
async function isLetOut(
  engine: EngineContext,
  session: LiveSession,
  {
    request,
    env = {},
    signal,
  }: {
    readonly request: PermissionRequest
    readonly env: Parameters<Sandbox['enclose']>[0]['env']
    readonly signal: AbortSignal
  },
): Promise<boolean> {
  const own: Readonly<Record<string, string | undefined>> = childEnvironment(engine.sandbox?.env)
  // An earlier command may have set by which file a name is found, and what it loads.
  const names = new Set(
    [...Object.keys(env), ...Object.keys(own)].filter((name) => LEADS.test(name)),
  )
  const isOther = Object.keys(env).length > 0 && [...names].some((name) => env[name] !== own[name])
  if (isOther || !(await mayLeaveSandbox(engine, session, request))) return false
  const bypass = { ...request, requestSandboxBypass: true }
  const { kind } = await askPermission(engine, session, bypass, signal)
  return kind !== 'deny'
}

const LEADS =
  /^(?:PATH|HOME|ENV|BASH_ENV|BASH_FUNC_.*|(?:LD|DYLD|GIT|DOCKER|PYTHON|PERL|RUBY|npm_config)_?.*|.*_OPTIONS|.*OPTS)$/

const told = new WeakSet<LiveSession>()

async function tellOnce(
  engine: EngineContext,
  session: LiveSession,
  missing: string,
): Promise<void> {
  if (told.has(session)) return
  told.add(session)
  const message = `${withoutSandbox(missing)} reprise config set sandbox off ends this line.`
  await note(engine, session, { level: 'warning', type: 'sandbox', message })
}

const builders = new WeakMap<
  LiveSession,
  { readonly of: Enclosed; readonly builder: WallBuilder }
>()

function builderFor(engine: EngineContext, session: LiveSession): WallBuilder {
  const known = builders.get(session)
  const of = {
    ...ownFiles(engine, session),
    cwd: session.project.cwd,
    rules: engine.rules ?? {},
  }
  if (known?.of.cwd === of.cwd && known.of.rules === engine.rules) return known.builder
  const builder = wallBuilder(of)
  builders.set(session, { of, builder })
  return builder
}
