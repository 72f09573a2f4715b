/**
 * Seeded secrets in everything that a session keeps, and every way out of it: what each sink gives away. Whoever adds
 * a sink adds it to the table.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Draft } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { openConfiguredEngine } from '../../src/wiring/open-engine.ts'
import { openStoreTools, openHomeServices } from '../../src/wiring/home-services.ts'
import { openRedactor } from '../../src/wiring/open-redactor.ts'
import { openBoardAt } from '../../src/wiring/open-store.ts'
import { writeSessionSql } from '../../src/store/query/session-sql.ts'
import { guestKeyOf } from '../../src/surfaces/web/keys.ts'
import { answered, logOf, said, started } from '../log-of.ts'
import { leftIn, seededSecrets, shapes, type SeededSecret } from '../support/seeded-secrets.ts'
import { connect, guestOf, isReady, raw, serve, until } from '../web/web.ts'
import { makePlace, type Place } from './cli.ts'
import { converse } from '../support/engine.ts'
import { startNode } from '../control/node.ts'
import { copyOf, joinNode, ok } from '../remote/homes.ts'

/** Each in another place; the places of a kind come one after the other. */
const secrets: readonly SeededSecret[] = seededSecrets(20260601, shapes.length * 4).filter(
  ((lastOf) => (each: SeededSecret) => {
    const { at = (lastOf.size % 7) - 1, skip = 0, secret } = lastOf.get(each.kind) ?? {}
    if (secret === each.secret) {
      if (skip > 0) lastOf.set(each.kind, { at, skip: skip - 1, secret })
      return skip === 1
    }
    const wanted = (at + 1) % 7
    lastOf.set(each.kind, { at: wanted, skip: wanted, secret: each.secret })
    return wanted === 0
  })(new Map<string, { at: number; skip: number; secret: string }>()),
)

const GROUP = 110
const groups = Array.from({ length: Math.ceil(secrets.length / GROUP) }, (_, at) =>
  secrets.slice(at * GROUP, (at + 1) * GROUP),
)
const idOf = (at: number) => `${String(at).padStart(8, '0')}-1111-4111-8111-111111111111`

/** What they said, what was answered, and what a tool printed, at times that the reports look at. */
function writeSessions({ home, project }: Place): void {
  const context = { cwd: project, repository: 'octo/one', branch: 'main' }
  groups.forEach((group, at) => {
    const sessionId = idOf(at) as SessionId
    const drafts = group.flatMap(({ text }, index): Draft[] => [
      said(`no, that is wrong. Never do this: ${text}`),
      answered(text, `call-${index}`),
      {
        type: 'tool.execution_start',
        data: { toolCallId: `call-${index}`, toolName: 'bash', arguments: { command: text } },
      },
      {
        type: 'tool.execution_complete',
        data: {
          toolCallId: `call-${index}`,
          success: false,
          error: { message: `exit code 1: ${text}`, code: 'failed' },
        },
      },
    ])
    const dir = join(home, 'session-state', sessionId)
    mkdirSync(dir, { recursive: true })
    const shiftMs = Date.now() - Date.UTC(2025, 0, 1) - 3_600_000
    const lines = logOf([started({ sessionId, context }), ...drafts]).map(({ event }) => {
      const timestamp = new Date(Date.parse(event.timestamp) + shiftMs).toISOString()
      return `${JSON.stringify({ ...event, timestamp })}\n`
    })
    writeFileSync(join(dir, 'events.jsonl'), lines.join(''))
  })
}

const ids = groups.map((_, at) => idOf(at))

async function outputs(place: Place, runs: readonly (readonly string[])[]): Promise<string> {
  const all: string[] = []
  for (const args of runs) {
    const { code, stdout, stderr } = await place.run(args)
    assert.ok(code === 0 || code === 3, `${args.join(' ')}: ${stderr}`)
    all.push(stdout)
  }
  return all.join('\n')
}

const eachOf = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

type Sink = (place: Place) => Promise<string>

const sinks: Readonly<Record<string, Sink>> = {
  'the log, with redaction.persist on': async (place) => {
    await place.run(['config', 'set', 'redaction.persist', 'on'])
    const engine = openConfiguredEngine({
      home: place.home,
      cwd: place.project,
      agent: 'offline',
      launch: {},
    })
    const { id } = await engine.create({ cwd: place.project })
    for (let at = 0; at < secrets.length; at += 5) {
      const prompt = secrets
        .slice(at, at + 5)
        .map(({ text }) => text)
        .join('\n\n')
      await converse(engine, id, { prompt })
    }
    await engine.stop()
    await place.run(['config', 'set', 'redaction.persist', 'off'])
    return readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
  },
  'the index': async (place) => {
    assert.equal((await place.run(['reindex'])).code, 0)
    return readdirSync(place.home)
      .filter((name) => name.startsWith('session-store.db'))
      .map((name) => readFileSync(join(place.home, name), 'latin1'))
      .join('\n')
  },
  'search results': (place) =>
    outputs(
      place,
      ids.map((id) => ['search', 'wrong', '--json', '--session', id]),
    ),
  'SQL results of the store': (place) =>
    outputs(
      place,
      eachOf(4, (at) => [
        'sql',
        `SELECT user_message, assistant_response FROM turns LIMIT 150 OFFSET ${at * 150}`,
        ...(at % 2 === 0 ? ['--json'] : ['--csv']),
      ]),
    ),
  'SQL results of a session': async (place) => {
    const [fs, dir] = [openDisk(place.home), `session-state/${ids[0]}`]
    await writeSessionSql(fs, dir, { sql: 'CREATE TABLE notes (text TEXT, raw BLOB)' })
    await writeSessionSql(fs, dir, {
      sql: 'INSERT INTO notes SELECT value, CAST(value AS BLOB) FROM json_each(?)',
      params: [JSON.stringify(secrets.map(({ text }) => text))],
    })
    return outputs(
      place,
      eachOf(4, (at) => [
        'sql',
        '--session',
        ids[0] ?? '',
        at % 2 === 0 ? '--json' : '--csv',
        `SELECT text, raw FROM notes LIMIT 150 OFFSET ${at * 150}`,
      ]),
    )
  },
  'SQL results for a model': async (place) => {
    const tools = await openStoreTools(openHomeServices({ home: place.home }), openDisk(place.home))
    const sql = tools.find(({ name }) => name === 'sql')
    const workspacePath = join(place.home, 'session-state', ids[0] ?? '')
    const context = { cwd: place.project, workspacePath, signal: AbortSignal.timeout(60_000) }
    const told = eachOf(12, async (at) => {
      const query = `SELECT text FROM notes LIMIT 50 OFFSET ${at * 50}`
      return JSON.stringify(await sql!.run({ database: 'session', query }, context as never))
    })
    return (await Promise.all(told)).join('\n')
  },
  'the board, as it is written and listed': async (place) => {
    const board = await openBoardAt(place.home)
    for (let at = 0; at < secrets.length; at += 5) {
      const content = secrets
        .slice(at, at + 5)
        .map((each) => each.text)
        .join('\n\n')
      await board.add({ repository: 'octo/two', src: 'agent', name: `note ${at}`, content })
    }
    board.close()
    await place.run(['board', 'add', 'from stdin', '-'], { input: secrets[0]?.text ?? '' })
    const file = readFileSync(join(place.home, '.reprise/board/board.json'), 'utf8')
    return (
      file +
      (await outputs(place, [
        ['board', 'list', '--all'],
        ['board', '--all', '--json'],
      ]))
    )
  },
  'what sessions propose for the board': async (place) =>
    outputs(
      place,
      ids.map((id) => ['board', 'propose', id, '--json']),
    ),
  'the chronicle': (place) =>
    outputs(
      place,
      ['standup', 'tips', 'improve', 'cost'].flatMap((kind) => [
        ['chronicle', kind, '--repo', 'octo/one'],
        ['chronicle', kind, '--repo', 'octo/one', '--json'],
        ['chronicle', kind, '--repo', 'octo/one', '--prompt'],
      ]),
    ),
  'an export': (place) =>
    outputs(
      place,
      ids.flatMap((id) => ['--html', '--markdown', '--json'].map((as) => ['export', id, as])),
    ),
  'a copy in Mission Control': async (place) => {
    await using node = await startNode()
    const client = await node.person('ann')
    await joinNode(place, node, client, 'off')
    await ok(place, 'sync', '--all')
    const copies = await Promise.all(ids.map((id) => copyOf(client, id)))
    assert.ok(copies.every((copy) => copy.length > GROUP))
    return JSON.stringify(copies)
  },
  'a session that is shared as a file': async (place) => {
    const [id = ''] = ids
    assert.equal((await place.run(['--resume', id, '-p', '/share out'])).code, 0)
    return readFileSync(join(place.home, 'session-state', id, 'files', 'out.md'), 'utf8')
  },
  'what a guest of the web page sees': async ({ home }) => {
    const engine = openConfiguredEngine({ home, cwd: home, agent: 'offline', launch: {} })
    const redactor = await openRedactor(engine.fs)
    const redact = async <T>(value: T) => redactor.redactJson(value).value
    const seen: string[] = []
    {
      await using server = await serve(engine, home, { redact, guestKey: guestKeyOf(engine.fs) })
      for (const id of ids) {
        const guest = await guestOf(server, (await server.guestLink(id as SessionId, 1)).link)
        const path = `/api/sessions/${id}`
        for (const rest of ['', '/turns', '/events?limit=1000', '/transcript?limit=1000']) {
          const { status, text } = await raw(server.port, path + rest, { headers: guest })
          assert.equal(status, 200, text)
          seen.push(text)
        }
        const headers = { authorization: undefined, ...guest }
        const client = await connect(server.port, `${path}/stream`, headers)
        seen.push(JSON.stringify(await until(client.frames, isReady)))
        client.close()
      }
    }
    await engine.stop()
    return seen.join('\n')
  },
  'a debug archive': async (place) => {
    const logs = join(place.home, '.reprise/logs')
    mkdirSync(logs, { recursive: true })
    const lines = secrets.map(({ text }) => `${JSON.stringify({ level: 'warn', text })}\n`)
    writeFileSync(join(logs, 'reprise-2026-01-01.log'), lines.join(''))
    const path = join(place.project, 'debug.tar.gz')
    assert.equal((await place.run(['debug', 'bundle', '-o', path])).code, 0)
    return gunzipSync(readFileSync(path)).toString('utf8')
  },
}

test('at least 99 % of seeded secrets of all kinds stay inside, whichever way out is taken', async (t) => {
  using place = makePlace()
  assert.ok(secrets.length >= 500 && new Set(secrets.map(({ place: at }) => at)).size >= 7)
  writeSessions(place)
  for (const [name, sink] of Object.entries(sinks)) {
    await t.test(name, async () => {
      const given = await sink(place)
      assert.match(given, /\[REDACTED:/, 'nothing came out of it at all')
      const missed = leftIn(given, secrets)
      assert.ok(
        missed.length <= secrets.length / 100,
        `${missed.length} of ${secrets.length}: ${missed.map(({ kind, place: at }) => `${kind} in ${at}`).join(', ')}`,
      )
    })
  }
})
