/** Commands that only read leave every file of the home as it was, its time too. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePlace } from './cli.ts'

/** Every file of a folder by its path: its bytes, and when it was last written. */
const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .flatMap((path) => {
        const file = join(folder, path)
        const stat = statSync(file, { bigint: true })
        if (!stat.isFile()) return []
        const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
        return [[path, `${sum} ${stat.mtimeNs}`]]
      }),
  )

const reading = (id: string): readonly (readonly string[])[] => [
  ['sessions', 'list'],
  ['sessions', 'show', id],
  ['sessions', 'show', id, '--transcript'],
  ['sessions', 'events', id],
  ['sessions', 'rewind', id, '--turn', '2', '--preview'],
  ['sessions', 'checkpoints', id],
  ['sessions', 'plan', id],
  ['sessions', 'changes', id],
  ['sessions', 'context', id],
  ['search', 'second'],
  ['sql', 'select count(*) from sessions'],
  ['chronicle', 'standup'],
  ['board', 'list'],
  ['export', id, '--markdown'],
  ['doctor'],
  ['home'],
]

test('a command that reads changes no file of the home', async () => {
  using place = makePlace()
  const id = await place.session('run echo first', 'write a.txt: second', 'plan: third')
  const yaml = join(place.home, 'session-state', id, 'workspace.yaml')
  // As the Copilot CLI writes a name of several lines.
  writeFileSync(yaml, readFileSync(yaml, 'utf8').replace(/^name:.*$/m, 'name: |-\n  two\n  lines'))
  // The catalogue and the index follow once.
  for (const args of [
    ['sessions', 'list'],
    ['search', 'second'],
    ['board', 'list'],
  ])
    assert.equal((await place.run(args)).code, 0, args.join(' '))
  const wrong: string[] = []
  for (const args of reading(id)) {
    const before = filesIn(place.home)
    const { code, stderr } = await place.run(args)
    if (code !== 0) wrong.push(`${args.join(' ')} ended with ${code}: ${stderr}`)
    const after = filesIn(place.home)
    for (const path of new Set([...Object.keys(before), ...Object.keys(after)]))
      if (before[path] !== after[path])
        wrong.push(
          `${args.join(' ')}: ${path} ${before[path] ?? 'new'} -> ${after[path] ?? 'gone'}`,
        )
  }
  assert.deepEqual(wrong, [])
})
