/** Killed with sessions open: the next start offers them once, each with its question and the messages that waited. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startModelServer } from '../model-server/server.ts'
import { PROGRAM } from '../support/program.ts'
import { openDesk, skip } from './tmux.ts'

const options = { timeout: 120_000, skip }

type Listed = {
  readonly sessions: readonly {
    readonly session: { readonly id: string }
    readonly asks: boolean
    readonly waiting: readonly string[]
    readonly isTold: boolean
  }[]
}

test(
  'what was open in a crash is offered once, with its queue and its question',
  options,
  async () => {
    const never = Promise.withResolvers<void>()
    let isOver = false
    await using server = await startModelServer(({ body }) => {
      const asked = JSON.stringify(body['messages'])
      if (isOver) return { text: 'It is all here again.' }
      if (asked.includes('colour'))
        return { calls: [{ name: 'ask_user', arguments: { question: 'Which colour?' } }] }
      return { text: 'I am at it.', until: never.promise }
    })
    process.env['OPENAI_API_KEY'] = 'test-key'
    using desk = openDesk()
    mkdirSync(join(desk.home, '.reprise'), { recursive: true })
    const model = { provider: 'openai-compatible', name: 'm1', baseUrl: server.baseUrl }
    writeFileSync(join(desk.home, '.reprise/config.json'), JSON.stringify({ model }))
    const start = () => desk.open(['--agent', 'model'])

    const asking = start()
    await asking.shows('new session')
    asking.enter('choose a colour')
    await asking.shows('Which colour?')
    const [asks = ''] = readdirSync(join(desk.home, 'session-state'))
    const working = start()
    await working.shows('new session')
    working.enter('work for long')
    await working.shows('I am at it.')
    working.enter('the message that waits')
    const works = readdirSync(join(desk.home, 'session-state')).find((id) => id !== asks) ?? ''
    const queueFile = join(desk.home, 'session-state', works, '.reprise/queue.json')
    await working.shows('the message that waits')
    while (!existsSync(queueFile)) await working.shows('the message that waits')
    for (const each of [asking, working]) {
      each.kill('SIGKILL')
      await each.ends()
    }
    isOver = true
    never.resolve()

    const again = start()
    await again.shows('2 sessions were still open when Reprise was stopped')
    await again.shows('1 message waiting to be sent')
    await again.shows('it asks you something')
    again.press('Enter')
    await again.shows('work for long')
    await again.shows('the message that waits')
    again.enter('/queue release')
    await again.shows('It is all here again.')
    const log = () => readFileSync(join(desk.home, 'session-state', works, 'events.jsonl'), 'utf8')
    assert.match(log(), /"type":"user\.message","data":\{"content":"the message that waits"/)
    assert.ok(!existsSync(queueFile))
    again.press('C-d')
    await again.ends()

    const later = start()
    await later.shows('new session')
    await later.lacks('still open when')
    const env = { ...process.env, REPRISE_HOME: desk.home, REPRISE_AGENT: 'offline' }
    const { stdout } = spawnSync(PROGRAM, ['sessions', 'reopen', '--json'], {
      env,
      encoding: 'utf8',
    })
    assert.deepEqual(
      (JSON.parse(stdout) as Listed).sessions.map(
        ({ session, asks: isAsking, waiting, isTold }) => [session.id, isAsking, waiting, isTold],
      ),
      [[asks, true, [], true]],
    )
    later.enter(`/resume ${asks.slice(0, 8)}`)
    await later.shows('Which colour?')
    later.press('C-d')
  },
)
