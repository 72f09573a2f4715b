/** Where one can go: places, and all sessions below them. On a phone the places are a bar at the bottom. */
import { hashOf, type Route } from '../model/route.ts'
import { Icon, type IconName } from './icon.tsx'
import { Menu } from './menu.tsx'
import { SessionList, type Steps } from './session-list.tsx'
import { useTeam } from './team.tsx'
import { ThemeButton } from './theme.tsx'
import type { Inbox } from './use-inbox.ts'

type RailItem = { readonly name: string; readonly icon: IconName; readonly to: Route }

const first: readonly RailItem[] = [
  { name: 'Home', icon: 'home', to: { view: 'home' } },
  { name: 'Inbox', icon: 'inbox', to: { view: 'inbox' } },
  { name: 'History', icon: 'history', to: { view: 'search', query: {} } },
]
const more: readonly RailItem[] = [
  { name: 'Chronicle', icon: 'chart', to: { view: 'chronicle', kind: 'standup' } },
  { name: 'Board', icon: 'board', to: { view: 'board' } },
  { name: 'SQL', icon: 'sql', to: { view: 'sql' } },
  { name: 'Trash', icon: 'trash', to: { view: 'trash' } },
]
const team: RailItem = { name: 'Team', icon: 'team', to: { view: 'team', part: 'people' } }
const list: RailItem = { name: 'Sessions', icon: 'list', to: { view: 'sessions' } }

/** Mission Control has a team, and no board of one machine. */
const moreOf = (isTeam: boolean): readonly RailItem[] =>
  isTeam ? [...more.filter(({ to }) => to.view !== 'board'), team] : more

type Props = {
  readonly route: Route
  readonly inbox: Inbox
  readonly onNew: () => void
}

export function Rail(
  props: Props & {
    readonly hasStore: boolean
    readonly steps: Steps
    readonly onPalette: () => void
    readonly onKeys: () => void
  },
) {
  const { route, inbox, onNew, hasStore, steps, onPalette, onKeys } = props
  const isTeam = useTeam() !== undefined
  return (
    <div class="rail">
      <header class="rail-head">
        <a class="brand" href={hashOf({ view: 'home' })}>
          <img src="/icon.svg" alt="" /> Reprise
        </a>
        <span class="space" />
        <SignButton
          icon="command"
          name="Everything that can be done (Ctrl+K)"
          onClick={onPalette}
        />
        <SignButton icon="keys" name="Keys" onClick={onKeys} />
        <ThemeButton />
        <button type="button" class="small" onClick={onNew} title="New session (n)">
          <Icon name="plus" /> New
        </button>
      </header>
      <nav class="places" aria-label="Places">
        {[...first, ...moreOf(isTeam)].map((place) => (
          <PlaceLink key={place.name} place={place} route={route} inbox={inbox} />
        ))}
      </nav>
      <SessionList
        openId={'id' in route ? route.id : undefined}
        cwd={'cwd' in route ? route.cwd : undefined}
        hasStore={hasStore}
        inbox={inbox}
        steps={steps}
      />
    </div>
  )
}

export const TabBar = ({ route, inbox, onNew }: Props) => (
  <nav class="tab-bar" aria-label="Places, short">
    {[...first.slice(0, 2), list, ...first.slice(2)].map((place) => (
      <PlaceLink key={place.name} place={place} route={route} inbox={inbox} />
    ))}
    <Menu name="More" icon="more">
      {moreOf(useTeam() !== undefined).map(({ name, icon, to }) => (
        <a href={hashOf(to)}>
          <Icon name={icon} /> {name}
        </a>
      ))}
      <button type="button" onClick={onNew}>
        <Icon name="plus" /> New session
      </button>
    </Menu>
  </nav>
)

function PlaceLink({ place, route, inbox }: Omit<Props, 'onNew'> & { readonly place: RailItem }) {
  const { name, icon, to } = place
  const waits = to.view === 'inbox' ? inbox.waiting.length : 0
  return (
    <a href={hashOf(to)} aria-current={route.view === to.view ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{name}</span>
      {waits > 0 && (
        <span class="count" aria-label={`${waits} wait for you`}>
          {waits}
        </span>
      )}
    </a>
  )
}

type SignProps = { readonly icon: IconName; readonly name: string; readonly onClick: () => void }

const SignButton = ({ icon, name, onClick }: SignProps) => (
  <button type="button" class="quiet sign" aria-label={name} title={name} onClick={onClick}>
    <Icon name={icon} />
  </button>
)
