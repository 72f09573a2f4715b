/** The page: where one is, how to get elsewhere, and what just happened. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { CreatedAnswer, ServerAnswer } from '../../api.ts'
import { post, sentence } from '../client.ts'
import { keyHelp } from '../model/keys.ts'
import type { Command } from '../model/keys.ts'
import { hashOf, parseRoute } from '../model/route.ts'
import type { Route } from '../model/route.ts'
import { BoardPage } from './board-page.tsx'
import { ChroniclePage } from './chronicle-page.tsx'
import { Dialog } from './dialog.tsx'
import { SearchPage } from './search-page.tsx'
import { SessionPage } from './session-page.tsx'
import { Sidebar } from './sidebar.tsx'
import { SqlPage } from './sql-page.tsx'
import { TrashPage } from './trash-page.tsx'
import { ThemeButton } from './theme.tsx'
import { useAnswer } from './use-answer.ts'
import { useKeys } from './use-keys.ts'

const places = [
  ['Sessions', { view: 'sessions' }],
  ['History', { view: 'search', query: {} }],
  ['Chronicle', { view: 'chronicle', kind: 'standup' }],
  ['Board', { view: 'board' }],
  ['SQL', { view: 'sql' }],
] as const satisfies readonly (readonly [string, Route])[]

const SAID_MS = 6000

export function App() {
  const route = useRoute()
  const server = useAnswer<ServerAnswer>('/api/server')
  const [said, setSaid] = useState<string>()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const steps = useRef<Parameters<typeof Sidebar>[0]['steps']>({
    by: undefined,
    open: undefined,
  }).current
  const say = useCallback((text: string) => setSaid(text), [])

  useEffect(() => {
    if (said === undefined) return undefined
    const timer = setTimeout(() => setSaid(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])

  const create = useCallback(async () => {
    try {
      const { sessionId } = await post<CreatedAnswer>('/api/sessions')
      location.hash = hashOf({ view: 'session', id: sessionId })
    } catch (error) {
      setSaid(sentence(error))
    }
  }, [])

  const go = (to: Route) => () => {
    location.hash = hashOf(to)
  }
  const focusOn = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.focus()
  const commands: Readonly<Record<Command, () => void>> = {
    search: focusOn('[data-search]'),
    compose: focusOn('[data-composer]'),
    commands: listCommands,
    down: () => steps.by?.(1),
    up: () => steps.by?.(-1),
    open: () => steps.open?.(),
    new: () => void create(),
    sessions: go(places[0][1]),
    history: go(places[1][1]),
    chronicle: go(places[2][1]),
    board: go(places[3][1]),
    sql: go(places[4][1]),
    trash: go({ view: 'trash' }),
    help: () => setHelpOpen(true),
    close: () => (document.activeElement as HTMLElement | null)?.blur(),
  }
  useKeys((command) => commands[command]())

  const hasList = route.view === 'sessions' || route.view === 'session'
  return (
    <div class={`app at-${route.view}`}>
      <a class="skip" href="#content" onClick={focusMain}>
        To the content
      </a>
      <header class="bar">
        <strong class="brand">Reprise</strong>
        <nav aria-label="Places">
          {places.map(([name, to]) => (
            <a href={hashOf(to)} aria-current={isAt(route, to) ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <span class="space" />
        <ThemeButton />
        <button
          type="button"
          class="quiet keys-button"
          aria-label="Keys"
          onClick={() => setHelpOpen(true)}
        >
          ?
        </button>
      </header>
      <div class="body">
        {hasList && (
          <Sidebar
            openId={route.view === 'session' ? route.id : undefined}
            hasStore={server.answer?.hasStore ?? false}
            onNew={() => void create()}
            steps={steps}
          />
        )}
        {route.view === 'sessions' && (
          <main class="page welcome">
            <h1>Sessions</h1>
            <p class="faint">
              Choose one, or press <kbd>n</kbd> for a new one. <kbd>?</kbd> shows all keys.
            </p>
          </main>
        )}
        {route.view === 'session' && <SessionPage id={route.id} turn={route.turn} say={say} />}
        {route.view === 'search' && <SearchPage query={route.query} />}
        {route.view === 'chronicle' && <ChroniclePage kind={route.kind} />}
        {route.view === 'sql' && <SqlPage />}
        {route.view === 'board' && <BoardPage say={say} />}
        {route.view === 'trash' && <TrashPage say={say} />}
      </div>
      <div class="toast" role="status" aria-live="polite">
        {said !== undefined && <p>{said}</p>}
      </div>
      {isHelpOpen && (
        <Dialog title="Keys" onClose={() => setHelpOpen(false)}>
          <dl class="keys">
            {keyHelp.map(([key, meaning]) => (
              <>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </>
            ))}
          </dl>
        </Dialog>
      )}
    </div>
  )
}

/** Begins a command, unless something is written there. */
function listCommands(): void {
  const field = document.querySelector<HTMLTextAreaElement>('[data-composer]')
  field?.focus()
  if (field === null || field.value !== '') return
  field.value = '/'
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

const isAt = (route: Route, to: Route): boolean =>
  route.view === to.view ||
  (to.view === 'sessions' && (route.view === 'session' || route.view === 'trash'))

/** The address is the route, so the link may not change it. */
export function focusMain(event: Event): void {
  event.preventDefault()
  const main = document.querySelector<HTMLElement>('main')
  main?.setAttribute('tabindex', '-1')
  main?.focus()
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const follow = () => setRoute(parseRoute(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}
