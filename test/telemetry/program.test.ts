import assert from 'node:assert/strict'
import { readFileSync, readdirSync, statSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { lines, makePlace } from '../e2e/cli.ts'
import { startCollector } from './collector.ts'

const CANARY = 'canary-2718281828'

/** Tells on stderr, when the process ends, what it has loaded of OpenTelemetry. */
const watcher = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const seen = new Set()
  registerHooks({ load(url, context, next) {
    const loaded = next(url, context)
    for (const [, name] of String(loaded.source ?? '').matchAll(/node_modules\\/(@opentelemetry\\/[\\w-]+)|src\\/telemetry\\/otel/g)) seen.add(name ?? 'otel')
    return loaded
  } })
  process.on('exit', () => process.stderr.write('LOADED ' + JSON.stringify([...seen].sort()) + '\\n'))
`)}`
const watched = { NODE_OPTIONS: `--import "${watcher}"` }
const loaded = (stderr: string) =>
  JSON.parse(/LOADED (.*)/.exec(stderr)?.[1] ?? 'null') as string[] | null

test('without a collector nothing of OpenTelemetry is loaded', async () => {
  using place = makePlace()
  const { code, stderr } = await place.run(['-p', `say ${CANARY}`], { env: watched })
  assert.deepEqual([code, loaded(stderr)], [0, []])
})

test('the environment or the configuration names the collector', async () => {
  await using collector = await startCollector()
  for (const way of ['environment', 'configuration'] as const) {
    using place = makePlace()
    const env: NodeJS.ProcessEnv = { ...watched }
    if (way === 'environment') env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.endpoint
    else await place.run(['config', 'set', 'telemetry.endpoint', `${collector.endpoint}/`])
    const before = collector.spans().length
    const { code, stderr } = await place.run(['-p', `say ${CANARY}`], { env })
    assert.equal(code, 0)
    assert.ok(loaded(stderr)?.includes('@opentelemetry/sdk-trace'))
    assert.deepEqual(
      collector
        .spans()
        .slice(before)
        .map(({ name }) => name)
        .sort(),
      ['session.close', 'session.create', 'turn'],
    )
  }
  assert.ok(!collector.bodies.join('').includes(CANARY))
})

test('a collector that is away costs no turn, and OTEL_SDK_DISABLED is obeyed', async () => {
  using place = makePlace()
  const away = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  assert.equal((await place.run(['-p', 'say hi'], { env: away })).code, 0)
  const { stderr } = await place.run(['-p', 'say hi'], {
    env: { ...away, ...watched, OTEL_SDK_DISABLED: 'true' },
  })
  assert.deepEqual(loaded(stderr), [])
})

test('the diagnostics log tells how things ended, for its owner alone, and not what was said', async () => {
  using place = makePlace()
  const folder = join(place.home, '.reprise/logs')
  const env = { REPRISE_LOG: 'debug' }
  await place.run(['--allow-all', '-n', CANARY, '-p', `run echo ${CANARY}`], { env })
  await place.run(['sessions', 'show', `no-${CANARY}`], { env })
  const [name, ...more] = readdirSync(folder)
  assert.deepEqual(more, [])
  assert.match(name ?? '', /^reprise-\d{4}-\d\d-\d\d\.log$/)
  assert.equal(statSync(join(folder, name!)).mode & 0o777, 0o600)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  const text = readFileSync(join(folder, name!), 'utf8')
  assert.ok(!text.includes(CANARY))
  const told = lines<{ level: string; name: string; outcome?: string; error_kind?: string }>(text)
  assert.deepEqual(
    told.map((line) => [line.level, line.name, line.outcome ?? line.error_kind]),
    [
      ['info', 'session.create', 'completed'],
      ['debug', 'tool', 'completed'],
      ['info', 'turn', 'completed'],
      ['info', 'session.close', 'completed'],
      ['info', 'command', 'not_found'],
    ],
  )
})

test('nothing is written while nothing is wrong, nor where there is no home', async () => {
  using place = makePlace()
  await place.run(['sessions', 'show', 'nothing'], { env: { REPRISE_LOG: 'debug' } })
  assert.throws(() => statSync(place.home))
  await place.run(['-p', 'say hi'])
  assert.throws(() => statSync(join(place.home, '.reprise/logs')))
})

test('a fault of our own is told with its place in the code', async () => {
  using place = makePlace()
  mkdirSync(join(place.home, '.reprise'), { recursive: true, mode: 0o700 })
  writeFileSync(join(place.home, '.reprise/config.json'), `{"agent": "${CANARY}`, { mode: 0o600 })
  const { code } = await place.run(['-p', 'say hi'])
  assert.notEqual(code, 0)
  const [name] = readdirSync(join(place.home, '.reprise/logs'))
  const text = readFileSync(join(place.home, '.reprise/logs', name!), 'utf8')
  const [line] = lines<{ level: string; name: string; frames: string[] }>(text)
  assert.deepEqual([line?.level, line?.name], ['error', 'command'])
  assert.ok(line && line.frames.length > 0)
  assert.ok(line.frames.every((frame) => frame.startsWith('at ')))
  assert.ok(!text.includes(CANARY))
})
