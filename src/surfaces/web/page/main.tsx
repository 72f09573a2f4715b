/** Logs in with the code of the link, when there is one, and shows the page: all of it, or a guest's one session. */
import { render } from 'preact'
import type { LoginAnswer, ServerAnswer } from '../api.ts'
import { get, isUnauthorized, post, sentence } from './client.ts'
import { guestOver, linkIn } from './model/link.ts'
import { hashOf } from './model/route.ts'
import { App } from './view/app.tsx'
import { Code } from './view/code.tsx'
import { GuestPage } from './view/guest-page.tsx'

/** Where a guest is; who comes back here without a cookie was one. */
const GUEST_PLACE = '#/guest'

const root = document.getElementById('page') ?? document.body
const link = linkIn(location.hash)
const isGuest = link?.kind === 'guest' || location.hash === GUEST_PLACE

start().catch((error: unknown) => render(<Refused text={reasonOf(error)} />, root))
// A new link in an old tab changes nothing but the address.
addEventListener('hashchange', () => linkIn(location.hash) !== undefined && location.reload())

async function start(): Promise<void> {
  let guestOf: string | undefined
  if (link !== undefined) {
    // What is worth something, now or later, leaves the address.
    history.replaceState(null, '', isGuest ? GUEST_PLACE : '#/')
    guestOf = (await post<LoginAnswer>('/api/login', { code: link.code })).guestOf
  }
  const server = await get<ServerAnswer>('/api/server').catch((error: unknown) => {
    if (isGuest || isUnauthorized(error)) throw error
  })
  if (server?.guest !== undefined) {
    render(<GuestPage id={server.guest.sessionId} expiresAt={server.guest.expiresAt} />, root)
    return
  }
  // The owner who tries a guest's link is the owner all the same.
  if (guestOf !== undefined)
    history.replaceState(null, '', hashOf({ view: 'session', id: guestOf }))
  render(<App />, root)
}

const reasonOf = (error: unknown): string =>
  isGuest && isUnauthorized(error) ? guestOver : sentence(error)

/** What to do is said, not only what went wrong. */
const Refused = ({ text }: { readonly text: string }) => (
  <main class="refused">
    <p class="brand">
      <img src="/icon.svg" alt="" /> Reprise
    </p>
    <h1>This browser is not let in</h1>
    <p>{text}</p>
    {text.includes('reprise web') && (
      <>
        <p>On the machine where it runs, type:</p>
        <Code text="reprise web --link" language="shell" />
        <p class="faint">
          It prints a link and a QR code. Each works once; a browser that was let in stays so. If no
          server runs, “reprise web” starts one.
        </p>
      </>
    )}
  </main>
)
