/**
 * A process of its own that is at work in a session, for tests that ask something of it from outside. It is told by
 * lines on stdin which message to send, and says on stdout what happens:
 *
 *     ready <session>
 *     notice <type>
 *     ended <status>
 */
import { createInterface } from 'node:readline'
import type { PermissionRequest } from '../../src/engine/agent.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { say, scripted } from '../support/engine.ts'
import type { Script } from '../support/engine.ts'

const [home = ''] = process.argv.slice(2)
const tell = (...words: readonly string[]): void =>
  void process.stdout.write(`${words.join(' ')}\n`)

export const shell: PermissionRequest = {
  kind: 'shell',
  toolCallId: 'call-1',
  fullCommandText: 'make it',
  intention: 'build',
  commands: [],
  possiblePaths: [],
  possibleUrls: [],
  hasWriteFileRedirection: false,
  canOfferSessionApproval: true,
}

/** `permit`, `ask`, `wait` (until something is said in the turn, or it is stopped), `stall` (reads no letter). */
const obedient: Script = async function* (turn, signal) {
  const said = turn.message.content
  if (said === 'permit') yield say(`decided: ${(await turn.permit(shell)).kind}`)
  else if (said === 'ask')
    yield say(`answered: ${await turn.ask({ question: 'Which?', choices: ['red', 'blue'] })}`)
  else if (said === 'wait') {
    while (!signal.aborted) {
      const heard = turn.steering().map(({ content }) => content)
      if (heard.length > 0) return yield say(`heard: ${heard.join(', ')}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  } else yield say(`echo: ${said}`)
}

const engine = createEngine({
  fs: openDisk(home),
  agent: scripted(obedient),
  answersQuestions: true,
  clientName: 'worker',
})
const id = await engine.create({ cwd: home })
await engine.send(id, { prompt: 'first' })
void (async () => {
  for await (const item of engine.follow(id))
    if (item.kind === 'notice') tell('notice', item.notice.type)
})()
createInterface({ input: process.stdin }).on('line', (prompt) => {
  engine.send(id, { prompt }).then(
    ({ status }) => tell('ended', status),
    (error: unknown) => tell('ended', String(error)),
  )
})
tell('ready', id)
