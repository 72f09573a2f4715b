/** Logs in with the code of the link, when there is one, and shows the page. */
import { render } from 'preact'
import type { ServerAnswer } from '../api.ts'
import { ApiFailure, get, post, sentence } from './client.ts'
import { App } from './view/app.tsx'

const root = document.getElementById('page') ?? document.body

start().catch((error: unknown) => render(<Refused text={sentence(error)} />, root))

async function start(): Promise<void> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1]
  if (code !== undefined) {
    // The code is worth nothing after this; it leaves the address all the same.
    history.replaceState(null, '', '#/')
    await post('/api/login', { code })
  }
  try {
    await get<ServerAnswer>('/api/server')
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'unauthorized') throw error
  }
  render(<App />, root)
}

const Refused = ({ text }: { readonly text: string }) => (
  <main class="refused">
    <h1>Reprise</h1>
    <p>{text}</p>
  </main>
)
