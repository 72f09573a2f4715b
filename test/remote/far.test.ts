/** The session handle of a session on another machine: two homes, one server, and a process that is at work. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeConfig } from '../../src/config/load.ts'
import { asSessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { openFar } from '../../src/remote/client/remote-session.ts'
import { openServer } from '../../src/remote/control-client.ts'
import { sessionContract, until } from '../contracts/session.ts'
import { startNode, type Client } from '../control/node.ts'
import { startWorker } from '../inbox/start-worker.ts'

/** All that was said first is there, and its machine takes commands. */
const isThere = async (client: Client, id: string): Promise<boolean> => {
  const { body } = await client.ask('GET', `/api/sessions/${id}`)
  const { isSteerable = false, events = 0 } = (body ?? {}) as {
    isSteerable?: boolean
    events?: number
  }
  return isSteerable && events >= 4
}

sessionContract({
  name: 'far',
  async open() {
    const home = await mkdtemp(join(tmpdir(), 'reprise-far-'))
    const node = await startNode()
    const client = await node.person('ann')
    await writeConfig(openDisk(home), { control: { mode: 'steer' } })
    const worker = await startWorker(home, {
      REPRISE_CONTROL_URL: node.url,
      REPRISE_CONTROL_TOKEN: client.token,
    })
    await until(() => isThere(client, worker.id))
    const { session } = await openFar(
      openServer({ url: node.url, token: client.token }),
      asSessionId(worker.id),
    )
    await until(async () => (await session.state()).openTurns.length === 0)
    let isCutOff = false
    return {
      session,
      async begin(prompt) {
        worker.send(prompt)
        await until(async () => (await session.state()).openTurns.length > 0)
      },
      async cutOff() {
        isCutOff = true
        await node[Symbol.asyncDispose]()
      },
      sleep() {
        worker.signal('SIGSTOP')
        return () => worker.signal('SIGCONT')
      },
      async [Symbol.asyncDispose]() {
        await session.close()
        await worker.kill()
        if (!isCutOff) await node[Symbol.asyncDispose]()
        await rm(home, { recursive: true, force: true })
      },
    }
  },
  without: {},
})
