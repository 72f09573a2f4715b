/**
 * What a debug archive is made of. Facts about sessions and settings, picked one by one: whatever is not named here
 * does not come along.
 */
import { cpus, release, totalmem } from 'node:os'
import type { Config } from '../../config/config-file.ts'
import { readConfig } from '../../config/load.ts'
import type { Diagnosis } from '../../engine/sessions/doctor.ts'
import type { Engine } from '../../engine/engine.ts'
import { homeFolder } from '../../format/paths.ts'
import type { TarFile } from '../../lib/tar.ts'
import type { Cli } from './command.ts'
import { publicConfig } from './public-config.ts'
import { visitStore } from './visit-store.ts'

/** Reading a log whole takes its time; the newest are those in question. */
const MOST_EXAMINED = 25
const LOGS = homeFolder('diagnostics')
const MOST_LOG_FILES = 4
const MOST_LOG_BYTES = 256 * 1024

export async function gatherDebugFiles(cli: Cli): Promise<TarFile[]> {
  const engine = await cli.engine()
  const config = await configOf(engine)
  const looked: Looked = { engine, canOpen: config !== undefined }
  const json = (path: string, value: unknown) => ({
    path: `reprise-debug/${path}`,
    text: `${JSON.stringify(value, null, 2)}\n`,
  })
  return [
    json('versions.json', versions(cli)),
    json('config.json', config === undefined ? UNUSABLE : publicConfig(config)),
    json('sessions.json', await sessionsOf(cli, looked)),
    json('doctor.json', await doctorOf(cli, looked)),
    ...(await logsOf(engine)),
  ]
}

function versions({ host, home }: Cli): unknown {
  const { node, v8, sqlite } = process.versions
  return {
    reprise: host.version,
    node,
    v8,
    sqlite,
    platform: process.platform,
    arch: process.arch,
    release: release(),
    processors: cpus().length,
    memoryBytes: totalmem(),
    terminal: host.env['TERM'],
    language: host.env['LC_ALL'] ?? host.env['LANG'],
    homeFrom: home.source,
    // Which are set, not what they say.
    variables: Object.keys(host.env)
      .filter((name) => /^(?:REPRISE|COPILOT|OTEL)_\w+$/.test(name))
      .sort(),
  }
}

async function configOf({ fs }: Engine): Promise<Config | undefined> {
  try {
    return await readConfig(fs)
  } catch {
    // The file says UNUSABLE in its place.
    return undefined
  }
}

/** What says why a file is no JSON quotes from it. */
const UNUSABLE = { trouble: 'The configuration cannot be used. "reprise config" says why.' }

/** With a configuration that cannot be used sessions can be listed, and not opened. */
type Looked = { readonly engine: Engine; readonly canOpen: boolean }

async function sessionsOf({ home }: Cli, { engine, canOpen }: Looked): Promise<unknown> {
  const sessions = await engine.list()
  return {
    home: home.path,
    backend: engine.fs.backend,
    ...(canOpen && { deleted: (await engine.trash()).length }),
    sessions: sessions.map(
      ({ id, userNamed, createdAt, modifiedAt, bytes, turns, checkpoints, forkCount }) => ({
        id,
        userNamed,
        createdAt,
        modifiedAt,
        bytes,
        turns,
        checkpoints,
        forkCount,
      }),
    ),
  }
}

async function doctorOf(cli: Cli, { engine, canOpen }: Looked): Promise<unknown> {
  const ids = (await engine.list()).map(({ id }) => id)
  const sessions: unknown[] = []
  for (const id of canOpen ? ids.slice(0, MOST_EXAMINED) : []) {
    if (cli.signal.aborted) break
    sessions.push(
      await engine.doctor(id).then(plainDiagnosis, () => ({ id, trouble: 'cannot be examined' })),
    )
  }
  const { diagnosis } = await visitStore(cli, { repair: false })
  return {
    sessions,
    notExamined: ids.length - sessions.length,
    store: { healthy: diagnosis.healthy, ailments: diagnosis.ailments.map(plainAilment) },
  }
}

/** Without messages: one about a broken line may quote it. */
const plainDiagnosis = ({ id, healthy, ailments, log }: Diagnosis) => ({
  id,
  healthy,
  ailments: ailments.map(plainAilment),
  events: log.events,
  bytes: log.bytes,
  lostBytes: log.lostBytes,
  strangers: log.strangers,
  findings: log.findings.map(({ kind, recovered, start, end }) => ({
    kind,
    recovered,
    start,
    end,
  })),
})

const plainAilment = ({ layer, severity }: { layer: string; severity: string }) => ({
  layer,
  severity,
})

async function logsOf({ fs }: Engine): Promise<TarFile[]> {
  const names = (await fs.list(LOGS))
    .flatMap(({ name, kind }) =>
      kind === 'file' && /^reprise-[\d-]+(?:\.\d+)?\.log$/.test(name) ? [name] : [],
    )
    .sort()
    .slice(-MOST_LOG_FILES)
  const files: TarFile[] = []
  for (const name of names) {
    const bytes = await fs.read(`${LOGS}/${name}`)
    if (bytes !== undefined) files.push({ path: `reprise-debug/logs/${name}`, text: tailOf(bytes) })
  }
  return files
}

/** Whole lines. */
function tailOf(bytes: Uint8Array): string {
  const tail = Buffer.from(bytes).subarray(-MOST_LOG_BYTES)
  return tail.subarray(tail.length < bytes.length ? tail.indexOf(10) + 1 : 0).toString()
}
