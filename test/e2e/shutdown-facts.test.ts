/** The end of a process's part tells what was done until then. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lines, makePlace } from './cli.ts'

type Shutdown = {
  readonly type: string
  readonly data: { readonly codeChanges: Record<string, unknown> }
}

test('session.shutdown holds the lines and files that tools changed', async () => {
  using place = makePlace()
  const id = await place.session('write a.txt: one', 'run printf "x\\ny\\n" > b.txt')
  const log = readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
  const ends = lines<Shutdown>(log).filter(({ type }) => type === 'session.shutdown')
  const files = (...names: string[]) => names.map((name) => join(place.project, name))
  assert.deepEqual(
    ends.map(({ data }) => data.codeChanges),
    [
      { linesAdded: 1, linesRemoved: 0, filesModified: files('a.txt') },
      { linesAdded: 3, linesRemoved: 0, filesModified: files('a.txt', 'b.txt') },
    ],
  )
})
