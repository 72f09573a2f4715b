/** The page: where one is, how to get elsewhere, and what just happened. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ServerAnswer } from '../../api.ts'
import type { Command } from '../model/keys.ts'
import { hashOf, parseRoute, type Route } from '../model/route.ts'
import { LinkBanner, useLink } from './banner.tsx'
import { CommandPalette } from './command-palette.tsx'
import { HomePage } from './home-page.tsx'
import { InboxPage } from './inbox-page.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { lazy } from './lazy.tsx'
import { Rail, TabBar } from './rail.tsx'
import type { Steps } from './session-list.tsx'
import { SessionPage } from './session-page.tsx'
import { TeamProvider } from './team.tsx'
import { useAnswer } from './use-answer.ts'
import { useInbox } from './use-inbox.ts'
import { useKeys } from './use-keys.ts'
import { useNewer } from './use-newer.ts'
import { useNotifications } from './use-notifications.ts'

const BoardPage = lazy(async () => (await import('./board-page.tsx')).BoardPage)
const ChroniclePage = lazy(async () => (await import('./chronicle-page.tsx')).ChroniclePage)
const NewSession = lazy(async () => (await import('./new-session.tsx')).NewSession)
const ReviewPage = lazy(async () => (await import('./review-page.tsx')).ReviewPage)
const SearchPage = lazy(async () => (await import('./search-page.tsx')).SearchPage)
const SqlPage = lazy(async () => (await import('./sql-page.tsx')).SqlPage)
const NewTask = lazy(async () => (await import('./new-task.tsx')).NewTask)
const TeamPage = lazy(async () => (await import('./team-page.tsx')).TeamPage)
const TrashPage = lazy(async () => (await import('./trash-page.tsx')).TrashPage)

const SAID_MS = 6000

/** What lies over a place. */
type Over = 'keys' | 'palette' | 'new'

export function App() {
  const route = useRoute()
  const server = useAnswer<ServerAnswer>('/api/server')
  const link = useLink()
  const loadedVersion = useRef<string | undefined>(undefined)
  loadedVersion.current ??= server.answer?.version
  const hasNewer = useNewer(link, loadedVersion.current)
  const [said, setSaid] = useState<string>()
  const [opened, setOpened] = useState<{ readonly what: Over; readonly at: string }>()
  // Who goes back from a window that lies over a place wants to be rid of it, on a phone above all.
  const open = opened?.at === location.hash ? opened.what : undefined
  const steps = useRef<Steps>({ by: undefined, open: undefined }).current
  const openId = 'id' in route ? route.id : undefined
  const inbox = useInbox(openId)
  useNotifications(inbox, openId)
  const say = useCallback((text: string) => setSaid(text), [])

  useEffect(() => {
    if (said === undefined) return undefined
    const timer = setTimeout(() => setSaid(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])

  const commands = useMemo(
    () => pageCommands(steps, openId, (what) => setOpened({ what, at: location.hash })),
    [steps, openId],
  )
  useKeys((command) => commands[command]())
  const close = () => setOpened(undefined)

  const team = server.answer?.team
  return (
    <TeamProvider signedIn={team}>
      <div class={`app at-${route.view}`}>
        <a class="skip" href="#content" onClick={focusMain}>
          To the content
        </a>
        <LinkBanner link={link} hasNewer={hasNewer} />
        <div class="body">
          <Rail
            route={route}
            inbox={inbox}
            hasStore={server.answer?.hasStore ?? false}
            steps={steps}
            onNew={commands.new}
            onPalette={commands.commands}
            onKeys={commands.help}
          />
          <View route={route} inbox={inbox} say={say} onNew={commands.new} />
        </div>
        <TabBar route={route} inbox={inbox} onNew={commands.new} />
        <div class="toast" role="status" aria-live="polite">
          {said !== undefined && <p>{said}</p>}
        </div>
        {open === 'keys' && <KeysDialog onClose={close} />}
        {open === 'new' && team === undefined && (
          <NewSession onClose={close} cwd={server.answer?.cwd} />
        )}
        {open === 'new' && team !== undefined && <NewTask onClose={close} />}
        {open === 'palette' && (
          <CommandPalette
            openId={openId}
            run={(name) => commands[name]()}
            say={say}
            onClose={close}
          />
        )}
      </div>
    </TeamProvider>
  )
}

type ViewProps = {
  readonly route: Route
  readonly inbox: ReturnType<typeof useInbox>
  readonly say: (text: string) => void
  readonly onNew: () => void
}

function View({ route, inbox, say, onNew }: ViewProps) {
  switch (route.view) {
    case 'home':
      return <HomePage inbox={inbox} onNew={onNew} />
    // On a phone the list is the page; where there is room, it is beside the first one.
    case 'sessions':
      return matchMedia('(max-width: 760px)').matches ? (
        <main class="page list-page" id="content">
          <h1>Sessions</h1>
        </main>
      ) : (
        <HomePage inbox={inbox} onNew={onNew} />
      )
    case 'inbox':
      return <InboxPage inbox={inbox} say={say} />
    case 'session':
      return (
        <SessionPage
          id={route.id}
          turn={route.turn}
          call={route.call}
          at={route.at}
          text={route.text}
          say={say}
        />
      )
    case 'review':
      return <ReviewPage {...route} say={say} />
    case 'search':
      return <SearchPage query={route.query} />
    case 'chronicle':
      return <ChroniclePage kind={route.kind} />
    case 'sql':
      return <SqlPage />
    case 'board':
      return <BoardPage say={say} />
    case 'team':
      return <TeamPage part={route.part} say={say} />
    case 'trash':
      return <TrashPage say={say} />
  }
}

function pageCommands(
  steps: Steps,
  openId: string | undefined,
  setOpen: (what: Over) => void,
): Readonly<Record<Command, () => void>> {
  const go = (to: Route) => () => {
    location.hash = hashOf(to)
  }
  const focusOn = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.focus()
  const press = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.click()
  return {
    search: focusOn('[data-search]'),
    compose: focusOn('[data-composer]'),
    find: press('[data-find]'),
    review: () => {
      if (openId !== undefined) go({ view: 'review', id: openId, scope: 'session' })()
    },
    commands: () => setOpen('palette'),
    down: () => steps.by?.(1),
    up: () => steps.by?.(-1),
    open: () => steps.open?.(),
    new: () => setOpen('new'),
    home: go({ view: 'home' }),
    inbox: go({ view: 'inbox' }),
    sessions: go({ view: 'sessions' }),
    history: go({ view: 'search', query: {} }),
    chronicle: go({ view: 'chronicle', kind: 'standup' }),
    board: go({ view: 'board' }),
    sql: go({ view: 'sql' }),
    trash: go({ view: 'trash' }),
    help: () => setOpen('keys'),
    close: () => (document.activeElement as HTMLElement | null)?.blur(),
  }
}

/** The address is the route, so the link may not change it. */
export function focusMain(event: Event): void {
  event.preventDefault()
  const main = document.querySelector<HTMLElement>('main')
  main?.setAttribute('tabindex', '-1')
  main?.focus()
}

/** The address may change between the first drawing and the effect: it is looked at again then. */
function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    follow()
    return () => removeEventListener('hashchange', follow)
  }, [])
  return useMemo(() => parseRoute(hash), [hash])
}
