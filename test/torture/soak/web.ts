/** The server of the page, as the page uses it: one stream on which sessions are followed, and requests beside it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { api, connect, type Client } from '../../web/web.ts'
import { homeWith, startSoakedModel } from './model.ts'
import { startSoaked, type Soaked } from './soaked.ts'

const TURNS = 5
/** So many sessions a tab of the browser shows before it is loaded anew. */
const TAB = 20

type Page = { readonly port: number; readonly headers: { readonly authorization: string } }
type Tab = Client & { readonly streamId: string }

export async function soakWeb(folder: string): Promise<Soaked> {
  const model = await startSoakedModel()
  const home = await homeWith(folder, model)
  const args = ['web', '--no-open', '--port', '0', '--home', home]
  const program = await startSoaked(args, folder)
  const token = (await readFile(join(home, '.reprise/web-token'), 'utf8')).trim()
  const page: Page = { port: program.port, headers: { authorization: `Bearer ${token}` } }
  let tab = await openTab(page)
  return {
    measured: program.measured,
    async live(nth) {
      if (nth % TAB === TAB - 1) {
        tab.close()
        tab = await openTab(page)
      }
      await liveIn(page, tab, nth)
    },
    async [Symbol.asyncDispose]() {
      tab.close()
      await program[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}

async function liveIn({ port, headers }: Page, { streamId }: Tab, nth: number): Promise<void> {
  const ask = async (path: string, body?: object) => {
    const answer = await api(port, path, body, headers)
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { sessionId } = await ask('/api/sessions', {})
  const own = `/api/sessions/${String(sessionId)}`
  const followed = { streamId, key: `tab-${nth}` }
  const say = (prompt: string) => ask(`${own}/send`, { prompt, wait: true })
  await ask('/api/stream/follow', { ...followed, sessionId })
  for (let turn = 0; turn < TURNS; turn += 1)
    await say(turn === 2 ? 'run echo soaked' : `What is ${turn}?`)
  for (const path of ['/transcript', '/turns', '', '/events', '/context']) await ask(own + path)
  for (const path of ['/api/sessions', '/api/inbox']) await ask(path)
  await ask(`${own}/undo`, {})
  await ask('/api/stream/unfollow', followed)
  if (nth % 3 === 0) {
    await ask('/api/stream/follow', { ...followed, sessionId })
    await say('And now?')
    await ask('/api/stream/unfollow', followed)
  }
  if (nth % 5 === 0) await ask(`${own}/delete`, {})
}

/** What it is told is read and forgotten. */
async function openTab({ port, headers }: Page): Promise<Tab> {
  const client = await connect(port, '/api/stream', headers)
  for (;;) {
    const { value: frame, done } = await client.frames.next()
    if (done === true || frame === undefined) throw new Error('The stream ended at once.')
    if (frame.event !== 'ready') continue
    void (async () => {
      while ((await client.frames.next()).done !== true);
    })()
    return { ...client, streamId: (frame.data as { readonly streamId: string }).streamId }
  }
}
