/** One session as a guest sees it: what was said and what is going on, and nothing that changes it. */
import { useCallback, useState } from 'preact/hooks'
import { guestOver } from '../model/link.ts'
import { titleOf } from '../model/sessions.ts'
import { visible } from '../model/words.ts'
import { focusMain } from './app.tsx'
import { Banner } from './banner.tsx'
import { Panel } from './panel.tsx'
import { Export, Facts } from './session-head.tsx'
import { ThemeButton } from './theme.tsx'
import { Transcript } from './transcript.tsx'
import { useSession } from './use-session.ts'

type Props = { readonly id: string; readonly expiresAt: string }

export function GuestPage({ id, expiresAt }: Props) {
  const { model, connection, failure, loadOlder, seek } = useSession(id)
  const [reveal, setReveal] = useState<string>()
  const [isPanelOpen, setPanelOpen] = useState(() => matchMedia('(min-width: 1200px)').matches)
  const onSeek = useCallback(
    async (eventId: string) => {
      setReveal(undefined)
      if (await seek(eventId)) setReveal(eventId)
    },
    [seek],
  )
  const metadata = model.answer?.metadata
  return (
    <div class="app at-session is-guest">
      <a class="skip" href="#content" onClick={focusMain}>
        To the content
      </a>
      <header class="bar">
        <strong class="brand">Reprise</strong>
        <span class="space" />
        <ThemeButton />
      </header>
      <div class="body">
        <div class={`session ${isPanelOpen ? 'has-panel' : ''}`}>
          <main class="session-main">
            <header class="session-head">
              <div class="session-title">
                <h1>{metadata === undefined ? '…' : visible(titleOf(metadata))}</h1>
                <Facts model={model} waits="Waits for an answer" />
              </div>
              <div class="session-actions" role="toolbar" aria-label="Session">
                <Export id={id} />
                <button
                  type="button"
                  class="panel-button"
                  aria-pressed={isPanelOpen}
                  onClick={() => setPanelOpen(!isPanelOpen)}
                >
                  Panel
                </button>
              </div>
            </header>
            <p class="guest-note">
              Read-only view. Secrets are hidden.{' '}
              <span class="faint">Until {new Date(expiresAt).toLocaleString()}.</span>
            </p>
            <Banner
              connection={connection}
              failure={failure}
              isGone={model.isGone}
              refused={guestOver}
            />
            <div class="transcript-box">
              {model.isLoaded && model.entries.length === 0 ? (
                <p class="empty">Nothing was said yet.</p>
              ) : (
                <Transcript model={model} reveal={reveal} onStart={() => void loadOlder()} />
              )}
            </div>
          </main>
          {isPanelOpen && (
            <Panel
              id={id}
              version={`${model.status} ${model.answer?.state.lastEventId ?? ''}`}
              onSeek={(eventId) => void onSeek(eventId)}
              onClose={() => setPanelOpen(false)}
            />
          )}
        </div>
      </div>
    </div>
  )
}
