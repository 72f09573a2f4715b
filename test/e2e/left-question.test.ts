/** A question that a kill left, through the built program: it is shown where the session is opened, and answered there. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Reply } from '../model-server/reply.ts'
import { startModelServer } from '../model-server/server.ts'
import { openDesk, skip } from './tmux.ts'

const options = { timeout: 90_000, skip }

const cases: readonly {
  readonly name: string
  readonly call: { readonly name: string; readonly arguments: unknown }
  readonly shown: RegExp
  readonly answer: readonly ['press' | 'enter', string]
  readonly given: RegExp
}[] = [
  {
    name: 'a question of the agent',
    call: { name: 'ask_user', arguments: { question: 'Which colour?' } },
    shown: /Which colour\?/,
    answer: ['enter', 'green as grass'],
    given: /The user answered: green as grass/,
  },
  {
    name: 'a request for permission',
    call: { name: 'bash', arguments: { command: 'echo done > made.txt' } },
    shown: /enter, or a number/,
    answer: ['press', '1'],
    given: /"exitCode":0/,
  },
]

for (const { name, call, shown, answer, given } of cases) {
  test(`${name} outlives a kill, and its answer has the turn go on`, options, async () => {
    const replies: readonly Reply[] = [{ calls: [call] }, { text: 'All is well again.' }]
    await using server = await startModelServer(({ index }) => replies[index] ?? { text: 'more' })
    process.env['OPENAI_API_KEY'] = 'test-key'
    using desk = openDesk()
    mkdirSync(join(desk.home, '.reprise'), { recursive: true })
    const model = { provider: 'openai-compatible', name: 'm1', baseUrl: server.baseUrl }
    writeFileSync(join(desk.home, '.reprise/config.json'), JSON.stringify({ model }))
    const first = desk.open(['--agent', 'model'])
    await first.shows('new session')
    first.enter('go on')
    await first.shows(shown)
    first.kill('SIGKILL')
    await first.ends()
    const [id = ''] = readdirSync(join(desk.home, 'session-state'))
    const second = desk.open(['--agent', 'model', '--resume', id])
    await second.shows(shown)
    second[answer[0]](answer[1])
    await second.shows('All is well again.')
    const log = readFileSync(join(desk.home, 'session-state', id, 'events.jsonl'), 'utf8')
    assert.ok(given.test(log))
    assert.equal(log.match(/"assistant\.turn_start"/g)?.length, 1)
    assert.equal(log.match(/"tool\.execution_complete"/g)?.length, 1)
    assert.equal(existsSync(join(desk.project, 'made.txt')), call.name === 'bash')
    second.press('C-d')
  })
}
