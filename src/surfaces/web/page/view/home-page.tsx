/** Where one begins: what waits, what works, what changed today, and where to go on. */
import type { ComponentChildren } from 'preact'
import { ago, counted } from '../../../../lib/quantities.ts'
import type { ProjectsAnswer } from '../../api.ts'
import { LONG_MS, post } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { dayOf } from '../model/sessions.ts'
import { baseName, visible } from '../model/words.ts'
import { Empty } from './empty.tsx'
import { Failed } from './failed.tsx'
import { Icon, type IconName } from './icon.tsx'
import { ItemLink } from './inbox-item.tsx'
import { useAnswer } from './use-answer.ts'
import type { Inbox, InboxItem } from './use-inbox.ts'

type Props = { readonly inbox: Inbox; readonly onNew: () => void }

const MOST = 8

export function HomePage({ inbox, onNew }: Props) {
  const { items, waiting, unseen, isLoaded } = inbox
  const now = Date.now()
  const works = items.filter(({ why }) => why === 'works')
  const isToday = ({ modifiedAt }: InboxItem) => dayOf(modifiedAt, now) === 'Today'
  const left = items.filter(({ why }) => why === 'left')
  const ended = items.filter(({ why }) => !['left', 'waits', 'works'].includes(why))
  const today = ended.filter(isToday)
  const before = ended.filter((item) => !isToday(item))
  return (
    <main class="page" id="content">
      <div class="page-head">
        <h1>{greeting(waiting.length, unseen.length)}</h1>
        <button type="button" class="primary" onClick={onNew}>
          <Icon name="plus" /> New session
        </button>
      </div>
      <Failed failure={inbox.failure} />
      {!isLoaded && inbox.failure === undefined && <p class="faint">Looking at what goes on…</p>}
      {isLoaded && items.length === 0 && (
        <Empty icon="home" title="Nothing happened within a week">
          “New session” begins one; the list has everything before.
        </Empty>
      )}
      <div class="home-grid">
        <div>
          <Part title="Open when Reprise ended" icon="restore" items={left} now={now}>
            <LeftButtons refresh={inbox.refresh} />
          </Part>
          <Part title="Waits for you" icon="waits" items={waiting} now={now} />
          <Part title="Works" icon="running" items={works} now={now} />
          <Part title="Changed today" icon="history" items={today} now={now} inbox={inbox} />
          <Part title="Where to go on" icon="undo" items={before} now={now} inbox={inbox} />
        </div>
        <Projects />
      </div>
    </main>
  )
}

function greeting(waiting: number, unseen: number): string {
  if (waiting > 0)
    return waiting === 1 ? 'One session waits for you' : `${waiting} sessions wait for you`
  return unseen > 0 ? `${counted(unseen, 'session')} ended since you looked` : 'All is quiet'
}

type PartProps = {
  readonly title: string
  readonly icon: IconName
  readonly items: readonly InboxItem[]
  readonly now: number
  readonly inbox?: Inbox
  readonly children?: ComponentChildren
}

function LeftButtons({ refresh }: Pick<Inbox, 'refresh'>) {
  const settle = (restore: boolean) =>
    void post('/api/inbox/left', { restore }, LONG_MS).then(refresh, refresh)
  return (
    <div class="buttons">
      <button type="button" class="primary" onClick={() => settle(true)}>
        Restore all
      </button>
      <button type="button" onClick={() => settle(false)}>
        Not now
      </button>
    </div>
  )
}

function Part({ title, icon, items, now, inbox, children }: PartProps) {
  if (items.length === 0) return null
  return (
    <Section title={title} icon={icon}>
      <ul class="item-list">
        {items.slice(0, MOST).map((item) => (
          <li key={item.id}>
            <ItemLink item={item} now={now} isUnseen={inbox?.markOf(item.id) !== undefined} />
          </li>
        ))}
      </ul>
      {children}
    </Section>
  )
}

type SectionProps = {
  readonly title: string
  readonly icon: IconName
  readonly children: ComponentChildren
}

export const Section = ({ title, icon, children }: SectionProps) => (
  <section class="section">
    <h2>
      <Icon name={icon} /> {title}
    </h2>
    {children}
  </section>
)

function Projects() {
  const { answer } = useAnswer<ProjectsAnswer>('/api/projects')
  const projects = answer?.projects.slice(0, MOST) ?? []
  if (projects.length === 0) return null
  const now = Date.now()
  return (
    <Section title="Projects" icon="folder">
      <ul class="item-list">
        {projects.map(({ cwd, repository, sessions, at }) => (
          <li key={cwd}>
            <a class="item" title={visible(cwd)} href={hashOf({ view: 'sessions', cwd })}>
              <Icon name="folder" />
              <span class="title">{visible(repository ?? baseName(cwd))}</span>
              <span class="faint when">{ago(at, now)}</span>
              <span class="item-text">
                {counted(sessions, 'session')} · {visible(cwd)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
