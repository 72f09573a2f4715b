/**
 * A service of the user, kept by the system, that imports before other agents purge. It is one file and a word to the
 * system; both are taken back by `off`. A file that Reprise did not write is left alone.
 */
import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EngineError } from '../engine/errors.ts'
import { LABEL, OURS, launchdPlist, systemdUnit, type Watching } from './service-file.ts'
import type { Surroundings } from './found.ts'
import { textAt } from './scan-folders.ts'

export type ServiceState = {
  readonly path: string
  readonly isOn: boolean
  readonly wasOn: boolean
  /** What the system was told, when it did not take it: for a person to say themselves. */
  readonly toDo?: string
}

type System = {
  readonly path: (around: Surroundings) => string
  readonly text: (watching: Watching) => string
  readonly start: (path: string) => readonly Words[]
  readonly stop: (path: string) => readonly Words[]
}
type Words = readonly [program: string, ...args: readonly string[]]

const user = (): string => `gui/${process.getuid?.() ?? 0}`

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, System>>> = {
  linux: {
    path: ({ env, home }) =>
      join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'systemd/user', `${LABEL}.service`),
    text: systemdUnit,
    start: () => [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', LABEL],
      ['systemctl', '--user', 'restart', LABEL],
    ],
    stop: () => [['systemctl', '--user', 'disable', '--now', LABEL]],
  },
  darwin: {
    path: ({ home }) => join(home, 'Library/LaunchAgents', `${LABEL}.plist`),
    text: launchdPlist,
    start: (path) => [['launchctl', 'bootstrap', user(), path]],
    stop: () => [['launchctl', 'bootout', `${user()}/${LABEL}`]],
  },
}

export async function setService(
  wanted: 'on' | 'off',
  around: Surroundings,
  { from, reprise }: { readonly from: readonly string[]; readonly reprise: string },
): Promise<ServiceState> {
  const system = systemHere()
  const path = system.path(around)
  const old = await textAt(path)
  if (old !== undefined && !old.includes(OURS))
    throw new EngineError(
      'conflict',
      `${path} was not written by Reprise. Nothing was changed. Move it away first.`,
    )
  const wasOn = old !== undefined
  if (wanted === 'on') {
    // launchd takes no second one of a name. Whether the old one ran does not matter.
    if (wasOn) await told(system.stop(path), around)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, system.text(watchingOf(around, from, reprise)), { mode: 0o600 })
    return { path, isOn: true, wasOn, ...(await told(system.start(path), around)) }
  }
  if (!wasOn) return { path, isOn: false, wasOn }
  const refused = await told(system.stop(path), around)
  await rm(path, { force: true })
  return { path, isOn: false, wasOn, ...refused }
}

/** Whether such a file of ours is there. */
export async function hasService(around: Surroundings): Promise<boolean> {
  const path = SYSTEMS[process.platform]?.path(around)
  return path !== undefined && (await textAt(path))?.includes(OURS) === true
}

function systemHere(): System {
  const system = SYSTEMS[process.platform]
  if (system !== undefined) return system
  throw new EngineError(
    'invalid',
    'On this system no service can be set up. Nothing was changed. "reprise import --watch" does the same for as long as it runs.',
  )
}

/** Variables that say where sessions of agents lie. */
const PLACES = [
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'COPILOT_HOME',
  'GEMINI_CLI_HOME',
  'PI_CODING_AGENT_DIR',
  'QWEN_HOME',
  'QWEN_RUNTIME_DIR',
  'XDG_DATA_HOME',
  'XDG_CONFIG_HOME',
]

function watchingOf({ env }: Surroundings, from: readonly string[], home: string): Watching {
  const kept = PLACES.flatMap((name) => {
    const value = env[name]
    return value ? [[name, value] as const] : []
  })
  return { program: programHere(), from, env: { REPRISE_HOME: home, ...Object.fromEntries(kept) } }
}

/** The launcher beside the bundle, which finds its Node by itself; from source, what runs now. */
function programHere(): readonly string[] {
  const entry = realpathSync(process.argv[1] ?? '.')
  const launcher = join(dirname(entry), '..', 'bin', 'reprise')
  return existsSync(launcher) ? [realpathSync(launcher)] : [process.execPath, entry]
}

const run = promisify(execFile)
const LONGEST_WAIT_MS = 20_000

/** Empty when the system took all of it. */
async function told(
  words: readonly Words[],
  { env }: Surroundings,
): Promise<Pick<ServiceState, 'toDo'>> {
  for (const [at, [program, ...args]] of words.entries()) {
    try {
      await run(program, args, { env, timeout: LONGEST_WAIT_MS })
    } catch {
      // No such program, or nobody is logged in whose services it could keep: the file is right all the same.
      return {
        toDo: words
          .slice(at)
          .map((each) => each.join(' '))
          .join(' && '),
      }
    }
  }
  return {}
}
