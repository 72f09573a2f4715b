/** `reprise import --watch`: what is written while it runs comes in, and it ends when it is told to. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { makePlace } from '../e2e/cli.ts'

const entry = (sessionId: string, uuid: string, parentUuid: string | null, role: string) =>
  `${JSON.stringify({
    type: role,
    uuid,
    parentUuid,
    sessionId,
    cwd: '/somewhere/else',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role, content: role === 'user' ? uuid : [{ type: 'text', text: uuid }] },
  })}\n`

const turn = (id: string, name: string, before: string | null) =>
  entry(id, `ask ${name}`, before, 'user') + entry(id, `say ${name}`, `ask ${name}`, 'assistant')

/** Waits until it has said this, after what was waited for before. */
function listening(stdout: Readable): (words: RegExp) => Promise<void> {
  let told = ''
  stdout.setEncoding('utf8').on('data', (text: string) => (told += text))
  return async (words) => {
    for (let found = words.exec(told); ; found = words.exec(told)) {
      if (found !== null) return void (told = told.slice(found.index + found[0].length))
      await once(stdout, 'data')
    }
  }
}

test('a file that grows, a new one, and one in a new folder come in while it watches', async () => {
  using place = makePlace()
  const projects = join(dirname(place.home), '.claude/projects')
  const file = (folder: string, id: string) => join(projects, folder, `${id}.jsonl`)
  const [first, second] = [1, 2].map((n) => `5e551000-0000-4000-8000-00000000000${n}`) as [
    string,
    string,
  ]
  mkdirSync(join(projects, 'one'), { recursive: true })
  writeFileSync(file('one', first), turn(first, 'a', null))
  const child = place.start(['import', '--watch'])
  const ended = once(child, 'exit')
  const hears = listening(child.stdout ?? assert.fail('it says nothing'))
  await hears(/Claude Code: 1 new \(1 turn\)/)
  appendFileSync(file('one', first), turn(first, 'b', 'say a'))
  await hears(/1 longer than before/)
  mkdirSync(join(projects, 'two'))
  writeFileSync(file('two', second), turn(second, 'c', null))
  await hears(/1 new, 1 as before/)
  appendFileSync(file('two', second), turn(second, 'd', 'say c'))
  await hears(/1 longer than before, 1 as before/)
  child.kill('SIGINT')
  await ended
  const { sessions } = await place.json<{ sessions: readonly unknown[] }>(
    'sessions list --all'.split(' '),
  )
  assert.equal(sessions.length, 2)
})
