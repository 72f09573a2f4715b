/** One session as a guest sees it: what was said and what is going on, and nothing that changes it. */
import { useState } from 'preact/hooks'
import { guestOver } from '../model/link.ts'
import { titleOf } from '../model/sessions.ts'
import { visible } from '../model/words.ts'
import { focusMain } from './app.tsx'
import { Banner, LinkBanner } from './banner.tsx'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { Panel } from './panel.tsx'
import { Facts } from './session-facts.tsx'
import { Exports } from './session-head.tsx'
import { ThemeButton } from './theme.tsx'
import { Transcript } from './transcript.tsx'
import { useNewer } from './use-newer.ts'
import { useSession } from './use-session.ts'

type Props = { readonly id: string; readonly expiresAt: string }

export function GuestPage({ id, expiresAt }: Props) {
  const session = useSession(id, { through: 'alone' })
  const { model, link, isRefused, failure, goTo } = session
  const isOver = isRefused || link?.connection === 'refused'
  const hasNewer = useNewer(link, undefined)
  const [isPanelOpen, setPanelOpen] = useState(() => matchMedia('(min-width: 1200px)').matches)
  const metadata = model.answer?.metadata
  return (
    <div class="app at-session is-guest">
      <a class="skip" href="#content" onClick={focusMain}>
        To the content
      </a>
      <div class="body">
        <div class={`session ${isPanelOpen ? 'has-panel' : ''}`}>
          <main class="session-main" id="content">
            <header class="session-head">
              <div class="session-title">
                <h1>{metadata === undefined ? 'Loading…' : visible(titleOf(metadata))}</h1>
                <Facts model={model} waits="Waits for an answer" />
              </div>
              <div class="session-actions" role="toolbar" aria-label="Session">
                <Menu name="Export" icon="download">
                  <Exports id={id} />
                </Menu>
                <ThemeButton />
                <button
                  type="button"
                  class="quiet sign panel-button"
                  aria-label="Panel"
                  aria-pressed={isPanelOpen}
                  onClick={() => setPanelOpen(!isPanelOpen)}
                >
                  <Icon name="panel" />
                </button>
              </div>
            </header>
            <p class="guest-note">
              Read-only view. Secrets are hidden.{' '}
              <span class="faint">Until {new Date(expiresAt).toLocaleString()}.</span>
            </p>
            {!isOver && <LinkBanner link={link} hasNewer={hasNewer} />}
            {isOver || model.isGone ? (
              <Banner text={isOver ? guestOver : 'This session was deleted.'} />
            ) : (
              <Banner text={failure?.text} again={failure?.again} />
            )}
            <Transcript session={session} />
          </main>
          {isPanelOpen && (
            <Panel
              id={id}
              version={`${model.status} ${model.answer?.state.lastEventId ?? ''}`}
              onSeek={(event) => void goTo({ event })}
              onClose={() => setPanelOpen(false)}
            />
          )}
        </div>
      </div>
    </div>
  )
}
