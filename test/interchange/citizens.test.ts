/**
 * Imported sessions are as any other, through the program: listed with their agent, found, asked in SQL, reported on,
 * blamed for a line where their diffs allow, exported, forked and gone on with.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makePlace, type Place } from '../e2e/cli.ts'

const GOLDEN = fileURLToPath(new URL('golden', import.meta.url))
const THERE = '/tmp/reprise-golden/project'

/** A golden folder as it would be, had the agent run in the project of this place. */
function moved(place: Place, name: string): string {
  const to = join(place.project, '..', name)
  cpSync(join(GOLDEN, name), to, { recursive: true })
  for (const file of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    const path = join(to, file)
    if (!statSync(path).isFile()) continue
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(THERE, place.project))
  }
  return to
}

type Listed = {
  readonly sessions: readonly { readonly id: string; readonly importedFrom?: string }[]
}

test('an imported session is listed, searched, asked, reported, exported, forked and gone on with', async () => {
  using place = makePlace()
  const from = moved(place, 'claude-2.1.197')
  const looked = await place.run(['import', join(from, 'projects'), '--dry-run'])
  assert.match(looked.stdout, /would be kept\.\nNothing was written/)
  assert.deepEqual((await place.json<Listed>(['sessions', 'list', '--all'])).sessions, [])
  assert.equal((await place.run(['import', join(from, 'projects')])).code, 0)
  const { sessions } = await place.json<Listed>(['sessions', 'list', '--all'])
  assert.deepEqual(new Set(sessions.map((each) => each.importedFrom)), new Set(['Claude Code']))
  const id = sessions[0]?.id ?? assert.fail('none is listed')
  const shown = (await place.run(['sessions', 'list', '--all'])).stdout
  assert.match(shown, /Claude Code/)
  assert.match((await place.run(['search', '"Both are done"'])).stdout, /Both are done/)
  const query = 'SELECT count(*) AS turns FROM turns'
  assert.match((await place.run(['sql', query])).stdout, /\d/)
  assert.equal((await place.run(['chronicle', 'cost', '--since', '2020-01-01'])).code, 0)
  const page = await place.run(['export', id, '--markdown', '-o', '-'])
  assert.match(page.stdout, /Make a file/)
  const fork = await place.run(['sessions', 'fork', id])
  assert.equal(fork.code, 0, fork.stderr)
  const went = await place.run(['--resume', id, '-p', 'and now?'])
  assert.equal(went.code, 0, went.stderr)
  const log = readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
  assert.ok(log.includes('and now?'))
  // What people went on with here is not written over: its source has a branch beside it.
  const again = await place.run(['import', join(from, 'projects')])
  assert.match(again.stdout, /as before/)
})

for (const name of ['claude-2.1.197/projects', 'gemini-0.61.0/tmp', 'pi-0.74.2/sessions'])
  test(`a line is traced to its prompt by the diffs that came along: ${name}`, async () => {
    using place = makePlace()
    const [folder = '', inside = ''] = name.split('/')
    assert.equal((await place.run(['import', join(moved(place, folder), inside)])).code, 0)
    mkdirSync(join(place.project, 'sub'))
    writeFileSync(join(place.project, 'made.txt'), 'changed\nby hand\n')
    const { stdout, stderr } = await place.run(['blame', 'made.txt:1'])
    assert.match(stdout, /Change it\./, stderr)
    const whole = await place.run(['blame', 'made.txt'])
    assert.match(whole.stdout, /Change it\..*1 {2}changed\n.* 2 {2}by hand/)
    const other = await place.run(['blame', 'made.txt:2'])
    assert.doesNotMatch(other.stdout, /Change it\.|Make a file\./)
  })
