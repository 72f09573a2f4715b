/** One inbox over all sessions: what waits is answered here, what failed or ended unseen is looked at or put aside. */
import { Asks } from './asks.tsx'
import { Empty } from './empty.tsx'
import { Failed } from './failed.tsx'
import { Section } from './home-page.tsx'
import { ItemLink } from './inbox-item.tsx'
import type { Inbox } from './use-inbox.ts'
import { useAttempt } from './use-list.ts'

type Props = { readonly inbox: Inbox; readonly say: (text: string) => void }

export function InboxPage({ inbox, say }: Props) {
  const { waiting, unseen, isLoaded, refresh } = inbox
  const now = Date.now()
  const attempt = useAttempt(say, refresh)
  const part = (why: 'failed' | 'finished') => unseen.filter((item) => item.why === why)
  return (
    <main class="page" id="content">
      <div class="page-head">
        <h1>Inbox</h1>
        {unseen.length > 0 && (
          <button type="button" onClick={() => unseen.forEach((item) => inbox.look(item))}>
            Mark all as seen
          </button>
        )}
      </div>
      <Failed failure={inbox.failure} />
      {!isLoaded && inbox.failure === undefined && <p class="faint">Looking at what goes on…</p>}
      {isLoaded && waiting.length + unseen.length === 0 && (
        <Empty icon="check" title="Nothing waits for you">
          Nothing failed, and everything that ended was seen.
        </Empty>
      )}
      {waiting.length > 0 && (
        <Section title="Waits for you" icon="waits">
          <ul class="item-list">
            {waiting.map((item) => (
              <li key={item.id}>
                <ItemLink item={{ ...item, text: '' }} now={now} />
                <div class="item-more">
                  <Asks id={item.id} asks={item.asks} attempt={attempt} />
                </div>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {(['failed', 'finished'] as const).map(
        (why) =>
          part(why).length > 0 && (
            <Section
              title={why === 'failed' ? 'Failed' : 'Finished, not seen yet'}
              icon={why === 'failed' ? 'failed' : 'check'}
            >
              <ul class="item-list">
                {part(why).map((item) => (
                  <li key={item.id}>
                    <ItemLink item={item} now={now} isUnseen />
                  </li>
                ))}
              </ul>
            </Section>
          ),
      )}
    </main>
  )
}
