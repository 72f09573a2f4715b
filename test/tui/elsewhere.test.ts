/** What a terminal shows of a session that another process is at work in: it comes late, and sees that one end or die. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { userTools } from '../../src/agents/user-tools.ts'
import { startWorker } from '../inbox/start-worker.ts'
import { openHome } from '../support/engine.ts'
import { openScreen } from './screen.ts'
import { talk } from './script.ts'
import { send } from './views.ts'

const limits = { timeout: 120_000 }
const idle = /commands · \? help/
const ENTER = '\r'

/** A process that is in the middle of a tool, and a terminal that comes later. */
async function comeLate() {
  const home = await openHome()
  const worker = await startWorker(home.path)
  const engine = home.engine({ script: talk })
  worker.send('work')
  for await (const _ of (await engine.open(worker.id)).follow())
    if ((await (await engine.open(worker.id)).state()).pendingTools.length > 0) break
  const start = { kind: 'open', id: worker.id, isNew: false } as const
  const options = { cwd: home.path }
  const screen = openScreen({ script: talk, engine, start, options })
  await screen.shows(/● bash make all[^]*another terminal is at work here/)
  return {
    path: home.path,
    engine,
    another: () => home.engine({ script: talk }),
    worker,
    screen,
    async [Symbol.asyncDispose]() {
      await screen[Symbol.asyncDispose]()
      await worker.kill()
      await home[Symbol.asyncDispose]()
    },
  }
}

describe('a tool that runs in another process', limits, () => {
  it('is never shown as interrupted to whoever comes late, and its result is shown', async () => {
    await using place = await comeLate()
    const { engine, worker, screen } = place
    assert.doesNotMatch(screen.written.join(''), /interrupted/)
    await (await engine.open(worker.id)).send({ prompt: 'enough' }, { whenBusy: 'steer' })
    await screen.shows(/✓ bash make all[^]*made: enough/)
    await screen.shows(idle)
  })

  it('is shown as interrupted when that process is killed', async () => {
    await using place = await comeLate()
    await place.worker.kill()
    await place.screen.shows(/◌ bash make all[^]*interrupted: it has no result/)
    await place.screen.shows(idle)
  })

  it('goes on for as long as another program has the session open', async () => {
    await using place = await comeLate()
    const { engine, worker, screen, path } = place
    const other = spawn('sleep', ['600'])
    const isGone = once(other, 'exit')
    try {
      await writeFile(join(path, 'session-state', worker.id, `inuse.${other.pid}.lock`), '')
      await worker.kill()
      assert.equal((await (await engine.open(worker.id)).pending()).at, 'foreign')
      const start = { kind: 'open', id: worker.id, isNew: false } as const
      await using late = openScreen({
        script: talk,
        engine: place.another(),
        start,
        options: { cwd: path },
      })
      await late.shows(/● bash make all[^]*another terminal is at work here/)
      assert.doesNotMatch(late.written.join(''), /interrupted/)
    } finally {
      other.kill('SIGKILL')
      await isGone
    }
    await screen.shows(/◌ bash make all[^]*interrupted: it has no result/)
  })

  it('goes on while a message is queued for its end', async () => {
    await using place = await comeLate()
    const { screen } = place
    screen.type('mine')
    screen.type(ENTER)
    await screen.shows(
      /● bash make all[^]*sends it when its turn has ended[^]*another terminal is at work here/,
    )
  })
})

describe('a command that a person runs in another process', limits, () => {
  it('is at work there until its result comes', async () => {
    await using home = await openHome()
    const open = () => home.engine({ script: talk, userTools: userTools() })
    const options = { cwd: home.path }
    await using first = openScreen({ script: talk, engine: open(), options })
    await send(first, 'hello', /You said hello[^]*commands/)
    const [session] = await first.engine.list()
    assert.ok(session !== undefined)
    await send(first, '!while [ ! -e over ]; do sleep 0.05; done', '● !')
    const start = { kind: 'open', id: session.id, isNew: false } as const
    await using second = openScreen({ script: talk, engine: open(), options, start })
    await second.shows(/● ! while[^]*another terminal is at work here/)
    await writeFile(join(home.path, 'over'), '')
    await second.shows('✓ ! while')
    await second.shows(idle)
  })
})
