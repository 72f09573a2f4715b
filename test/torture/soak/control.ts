/** Mission Control on SQLite: machines push what happens in their sessions and take commands, people watch. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { clientOf, event, type Client } from '../../control/node.ts'
import { makeToken } from '../../control/program.ts'
import { startSoaked, type Soaked } from './soaked.ts'

const PUSHES = 20
const WATCHERS = 2

export async function soakControl(folder: string): Promise<Soaked> {
  await mkdir(join(folder, 'data'))
  const place = ['--data', join(folder, 'data')]
  const token = await makeToken(place, { ...process.env, REPRISE_HOME: folder })
  const args = ['control', 'serve', '--json', '--port', '0', ...place]
  const program = await startSoaked(args, folder, { REPRISE_HOME: folder })
  const client = clientOf(`http://127.0.0.1:${program.port}`, token, '')
  return {
    measured: program.measured,
    live: (nth) => liveAt(client, nth),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}

async function liveAt(client: Client, nth: number): Promise<void> {
  const id = `soaked-${nth}`
  const own = `/api/sessions/${id}`
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await client.ask(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  await ask('PUT', `/streams/s/${id}/0`)
  const claim = (await ask('POST', `${own}/claim`)) as { producer: string; epoch: number }
  await ask('POST', `${own}/heartbeat`, { steerable: true, state: 'working' })
  const last = `${id}.${PUSHES - 1}`
  const watching = Array.from({ length: WATCHERS }, () => watch(client, `${own}/live`, last))
  for (let seq = 0; seq < PUSHES; seq += 1) {
    const parent = seq === 0 ? null : `${id}.${seq - 1}`
    const sent = await client.send(`/streams/s/${id}/0`, claim, seq, [
      event(`${id}.${seq}`, parent),
    ])
    if (sent.status !== 200) throw new Error(`push: ${sent.status} ${sent.text}`)
  }
  await Promise.all(watching)
  const command = { id: `command-${nth}`, kind: 'user_message', content: 'And now?' }
  await ask('POST', `${own}/commands`, command)
  await ask('POST', `${own}/commands/claim`, { wait: 0 })
  await ask('POST', `${own}/commands/${command.id}/settle`, { state: 'refused', reason: 'no' })
  for (const path of ['/api/sessions', own, `/streams/s/${id}/0?offset=-1`]) await ask('GET', path)
  if (nth % 5 === 0) await ask('DELETE', own)
}

async function watch(client: Client, path: string, last: string): Promise<void> {
  for await (const { id } of client.frames(path)) if (id === last) return
}
