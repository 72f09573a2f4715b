/** Opens the list of sessions, keeps it filled, and does what is asked of the one that is marked. */
import type { Engine } from '../../../engine/engine.ts'
import type { Nearest } from '../../../engine/catalogue/catalogue-select.ts'
import type { SessionId } from '../../../format/ids.ts'
import { sessionTitle } from '../../../state/session-title.ts'
import type { CommandHost } from '../commands/command.ts'
import { attentionIn } from '../../../commands/attention.ts'
import { deleteSession } from '../../../commands/remove.ts'
import { rename } from '../../../commands/rename.ts'
import { fork } from '../../../commands/fork.ts'
import { resultOf, tellResult } from '../commands/show-result.ts'
import type { Model } from '../model/model.ts'
import type { Message } from '../model/message.ts'
import { readPage } from '../session/history.ts'
import { errorText } from '../../../lib/error-text.ts'
import {
  marked,
  openPicker,
  stepPicker,
  withContent,
  withFilter,
  withSessions,
  wordsIn,
  type ListedSession,
  type Picker,
  type PickerDeed,
  type Shown,
} from './picker.ts'

type PickerRun = {
  /** `leave`: what is done when the person leaves the list without a session; without it, the list is closed. */
  open(how?: Opened): Promise<void>
  press(key: string): void
  narrow(filter: string): void
  /** Does it with the session at a place of the list. */
  perform(deed: PickerDeed, place: number): Promise<void>
}

type Opened = {
  readonly filter?: string | undefined
  readonly which?: 'only' | undefined
  readonly leave?: () => void
}

type PickerOptions = {
  readonly host: CommandHost
  readonly model: () => Model
  readonly tell: (message: Message) => void
}

/** Typing goes on while this has not passed: nothing is read or searched in between. */
const PAUSE_MS = 120
const SHORTEST_SEARCH = 3
const MOST_HITS = 50
/** So many sessions are held at once. */
const MOST_ROWS = 500

export function runPicker({ host, model, tell }: PickerOptions): PickerRun {
  const { engine } = host
  let pause: NodeJS.Timeout | undefined
  let held: Shown | undefined
  let which: 'too' | 'only' = 'too'
  let leave: (() => void) | undefined

  const change = (next: (picker: Picker) => Picker) => {
    const { picker } = model()
    if (picker !== undefined) tell({ kind: 'picker', picker: next(picker) })
  }

  const fill = async () => {
    const looking = attentionIn(engine)
    const here = await engine.project(host.cwd)
    // Those of this home are there at once; others join them when Mission Control has answered.
    const own = which === 'too' ? engine.nearest(here, { limit: MOST_ROWS }) : undefined
    const attention = await looking
    // One that wants a person is listed however far it is.
    const wanted = attention.size === 0 ? [] : await engine.summaries([...attention.keys()])
    const show = (near: Nearest) => {
      const sessions = which === 'only' ? near.sessions : joined(near.sessions, wanted)
      const shown = (held = { attention, here, ...near, sessions })
      change((picker) => withSessions(picker, shown))
    }
    if (own !== undefined) show(await own)
    show(await engine.nearest(here, { limit: MOST_ROWS, remote: which }))
    settle()
  }

  const isPart = (): boolean => held !== undefined && held.sessions.length < (held.total ?? 0)

  /** In a home that has more sessions than are held, those are added that what was typed leads to. */
  const add = (found: readonly ListedSession[]) => {
    if (held === undefined || found.length === 0) return
    const shown = { ...held, sessions: joined(held.sessions, found) }
    change((picker) => withSessions(picker, shown))
  }

  const lookFurther = async () => {
    const words = wordsIn(model().picker?.filter ?? '')
    if (held === undefined || !isPart() || words.length === 0) return
    add((await engine.nearest(held.here, { limit: MOST_ROWS, words, remote: which })).sessions)
  }

  /** After a pause: a look into the session that is marked, and a search by what was said. */
  const settle = () => {
    clearTimeout(pause)
    pause = setTimeout(() => {
      void look()
      lookFurther().then(search).catch(failed)
    }, PAUSE_MS)
  }

  const look = async () => {
    const { picker } = model()
    const session = picker === undefined ? undefined : marked(picker)
    if (session === undefined || picker?.preview?.id === session.id) return
    const lines =
      session.remote === undefined
        ? await previewOf(engine, session.id).catch(() => [])
        : [session.summary]
    change((now) =>
      marked(now)?.id === session.id ? { ...now, preview: { id: session.id, lines } } : now,
    )
  }

  const search = async () => {
    const filter = model().picker?.filter ?? ''
    if (filter.trim().length < SHORTEST_SEARCH) return
    // Without a store there is nothing to search in, and the names are still there.
    const ids = await sessionsWith(host, filter).catch(() => [])
    if (model().picker?.filter === filter && isPart()) add(await engine.summaries(ids))
    change((picker) =>
      picker.filter === filter && ids.length > 0 ? withContent(picker, ids) : picker,
    )
  }

  const close = () => {
    clearTimeout(pause)
    tell({ kind: 'picker', picker: undefined })
  }

  const perform = async (deed: PickerDeed, place: number) => {
    const session = model().picker?.shown[place]?.session
    if (deed === 'close' || session === undefined) {
      close()
      return deed === 'close' ? leave?.() : undefined
    }
    const { id, remote } = session
    if (remote !== undefined && deed === 'delete')
      return host.say(`It is on ${remote.machine}, and is deleted there.`, 'bad')
    if (remote !== undefined) await (await engine.remote?.())?.connect(id)
    if (deed === 'open') {
      close()
      return host.open(id)
    }
    if (deed === 'fork') {
      close()
      return tellResult(host, fork, await resultOf(host, fork, {}, id))
    }
    if (deed === 'rename') {
      const name = await host.ask('The new name', sessionTitle(session))
      if (name !== undefined && name.trim() !== '') await resultOf(host, rename, { name }, id)
    }
    if (
      deed === 'delete' &&
      (await host.confirm(`Delete "${sessionTitle(session)}"? It stays in the trash for 30 days.`))
    ) {
      tellResult(host, deleteSession, await resultOf(host, deleteSession, { yes: true }, id))
    }
    await fill()
  }

  const failed = (error: unknown) => host.say(errorText(error), 'bad')

  return {
    async open({ filter = '', which: only, leave: whenLeft } = {}) {
      which = only ?? 'too'
      leave = whenLeft
      tell({ kind: 'picker', picker: openPicker(host.session(), filter) })
      await fill()
    },
    press(key) {
      const { picker } = model()
      if (picker === undefined) return
      const step = stepPicker(picker, key)
      if (step.deed !== undefined) {
        perform(step.deed, picker.at).catch(failed)
        return
      }
      tell({ kind: 'picker', picker: step.picker })
      settle()
    },
    narrow(filter) {
      change((picker) => withFilter(picker, filter))
      settle()
    },
    perform,
  }
}

const joined = (
  held: readonly ListedSession[],
  more: readonly ListedSession[],
): readonly ListedSession[] => [
  ...new Map([...held, ...more].map((each) => [each.id, each])).values(),
]

async function sessionsWith(host: CommandHost, words: string): Promise<readonly SessionId[]> {
  const store = await host.store()
  const { hits } = await store.search({ query: words, limit: MOST_HITS })
  return [...new Set(hits.map(({ sessionId }) => sessionId))]
}

const MOST_LINES = 30

/** The last of what was said. */
async function previewOf(engine: Engine, id: SessionId): Promise<string[]> {
  const { entries } = await readPage(engine, id)
  return entries
    .flatMap((entry) => {
      if (entry.kind === 'user') return [`❯ ${entry.text}`, '']
      if (entry.kind === 'assistant') return [...entry.text.split('\n').slice(0, 8), '']
      return entry.kind === 'tool' ? [`· ${entry.toolName}`] : []
    })
    .slice(-MOST_LINES)
}
