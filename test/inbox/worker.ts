/**
 * A process of its own that is at work in a session, for tests that ask something of it from outside. It is told by
 * lines on stdin which message to send, and says on stdout what happens:
 *
 *     ready <session>
 *     notice <type>
 *     ended <status>
 */
import { createInterface } from 'node:readline'
import { createEngine } from '../../src/engine/engine.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { withRemote } from '../../src/wiring/follow-remote.ts'
import { converse, scripted } from '../support/engine.ts'
import { obedient } from '../support/obedient.ts'

const [home = ''] = process.argv.slice(2)
const tell = (...words: readonly string[]): void =>
  void process.stdout.write(`${words.join(' ')}\n`)

// With a Mission Control in its environment it exports, and is steered.
const engine = withRemote(
  createEngine({
    cwd: process.cwd(),
    fs: openDisk(home),
    agent: scripted(obedient),
    answersQuestions: true,
    clientName: 'worker',
  }),
  process.env,
)
const { id } = await engine.create({ cwd: home })
await converse(engine, id, { prompt: 'first' })
void (async () => {
  for await (const item of (await engine.open(id)).follow())
    if (item.kind === 'notice') tell('notice', item.notice.type)
})()
createInterface({ input: process.stdin }).on('line', (prompt) => {
  converse(engine, id, { prompt }).then(
    ({ status }) => tell('ended', status),
    (error: unknown) => tell('ended', String(error)),
  )
})
tell('ready', id)
