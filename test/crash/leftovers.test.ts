/** What kills leave in a home is gone after the doctor has been there and the session was opened again. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SessionId } from '../../src/format/ids.ts'
import { rowsAt } from '../../src/format/paths.ts'
import { makePlace, type Place } from '../e2e/cli.ts'
import { treeOf } from '../support/sample-project.ts'
import { killServerOnce } from './server-rounds.ts'

/** A process that ended long ago: no system gives its number again before many others. */
const DEAD = 4_194_303

const left = ({ home }: Place): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .filter((path) => {
      const [found] = rowsAt(path)
      return found === undefined || found.row.kind === 'momentary'
    })
    .sort()

/** Signs that a home holds in good order: what was written, what a person has not looked at yet, and who last wrote. */
const isHarmless = (path: string): boolean =>
  /^\.reprise\/touched\/[^/]+\.(?:done|left)$/.test(path) ||
  path.startsWith('.reprise/unseen/') ||
  /\/lease\/\d+\.(?:json|released)$/.test(path)

type Told = { readonly left: { readonly paths: readonly string[]; forgetting: readonly string[] } }

test('kills of servers, forks, deletions and forgettings leave nothing that the doctor does not name and clear', async () => {
  using place = makePlace()
  const { home } = place
  const [id = ''] = (
    await killServerOnce('server', home, new Map<SessionId, string[]>(), Math.random)
  ).keys()
  await killServerOnce('web', home, new Map(), Math.random)
  const dir = join(home, 'session-state', id)
  const fork = crypto.randomUUID()
  const made = {
    // A folder that was being removed, and a file that was being written.
    [`.reprise/trash/.reprise-tmp-${DEAD}-0123456789abcdef/events.jsonl`]: 'words',
    [`session-state/${id}/.reprise/.reprise-tmp-${DEAD}-0123456789abcdef`]: 'words',
    [`session-state/.fork-${fork}/events.jsonl`]: 'words',
    [`.reprise/touched/${fork}.0123456789ab.open`]: markOf(place),
    [`session-state/${id}/.reprise/forget/0`]: 'words',
    [`session-state/${id}/inuse.${DEAD}.lock`]: String(DEAD),
  }
  for (const [path, content] of Object.entries(made)) {
    mkdirSync(join(home, path, '..'), { recursive: true })
    writeFileSync(join(home, path), content)
  }
  writeFileSync(
    join(home, '.reprise/forgotten.jsonl'),
    `${JSON.stringify({ version: 1, id: 'x', at: '2026-01-01T00:00:00.000Z', state: 'begun', sessions: 1, files: 1, places: 1, forms: [] })}\n`,
  )
  const before = treeOf(dir)
  const told = (await place.run(['doctor', '--json'])).stdout
  const { left: named } = JSON.parse(told) as Told
  assert.deepEqual(treeOf(dir), before, 'looking changed something')
  for (const path of [
    `.reprise/trash/.reprise-tmp-${DEAD}-0123456789abcdef`,
    `session-state/${id}/.reprise/.reprise-tmp-${DEAD}-0123456789abcdef`,
    `session-state/.fork-${fork}`,
    `session-state/${id}/.reprise/forget`,
    `session-state/${id}/inuse.${DEAD}.lock`,
  ])
    assert.ok(named.paths.includes(path), `${path} is not named: ${named.paths.join(' ')}`)
  assert.ok(named.paths.some((path) => path.endsWith('.token')))
  assert.deepEqual(named.forgetting, ['2026-01-01T00:00:00.000Z'])
  assert.match((await place.run(['doctor'])).stdout, /say the same "reprise forget" again/)

  await place.run(['doctor', '--repair'])
  for (const session of readdirSync(join(home, 'session-state')))
    assert.equal((await place.run(['--resume', session, '-p', 'status'])).code, 0)
  assert.deepEqual(
    left(place).filter((path) => !isHarmless(path)),
    [],
  )
})

/** As the process left it that made the fork, on this machine. */
function markOf({ home }: Place): string {
  const folder = join(home, '.reprise/touched')
  const [any = ''] = readdirSync(folder)
  const mark = JSON.parse(readFileSync(join(folder, any), 'utf8')) as object
  return JSON.stringify({ ...mark, pid: DEAD })
}
