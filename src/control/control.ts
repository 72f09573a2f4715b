/** What a node of Mission Control is made of, for every route. */
import { randomBytes } from 'node:crypto'
import { errorText } from '../lib/error-text.ts'
import { createRedactor } from '../lib/redact/redact.ts'
import { withoutPlaces } from '../lib/redact/machine-paths.ts'
import type { Objects } from './blobs/objects.ts'
import type { Database } from './database/port.ts'
import { openBackfill, type Backfill } from './derived/backfill.ts'
import { openStores, type Stores } from './derived/stores.ts'
import { createFigures, type Figures } from './figures.ts'
import { openAccess, type Access } from './live/access.ts'
import { openChanges, type Changes } from './live/changed-sessions.ts'
import { openNotices, type Notices, type SessionName } from './live/notices.ts'
import { openMeter, type Meter } from './people/meter.ts'
import { openHeard, type Heard } from './sessions/heartbeat.ts'
import { groupAppends, type AppendGroup } from './streams/group.ts'
import { TASK_LEASE_MS } from './tasks/tasks.ts'
import { openTail, sessionKey, type Tail } from './streams/tail.ts'

export type Settings = {
  /** How long a reader that polls is kept waiting. */
  readonly longPollMs: number
  /** How long a connection of server-sent events lasts; its client comes back. */
  readonly sseMs: number
  /** How often heads are looked at. */
  readonly lookMs: number
  /** How long a worker has a task without a word of it. */
  readonly taskLeaseMs: number
}

const SETTINGS: Settings = {
  longPollMs: 20_000,
  sseMs: 60_000,
  lookMs: 1000,
  taskLeaseMs: TASK_LEASE_MS,
}

export interface Control extends AsyncDisposable {
  readonly db: Database
  /** Of other tenants, which this node serves too. */
  readonly elsewhere: readonly Database[]
  /** Where large contents go; undefined: into the database. */
  readonly objects: Objects | undefined
  readonly group: AppendGroup
  readonly tail: Tail
  readonly notices: Notices
  readonly access: Access
  readonly changes: Changes
  readonly stores: Stores
  readonly backfill: Backfill
  readonly meter: Meter
  readonly heard: Heard
  readonly figures: Figures
  readonly settings: Settings
  readonly version: string
  now(): number
  /** Takes secrets out, and where on a machine something was done. */
  forGuest<T>(value: T): Promise<T>
  /** Fires when the node stops: who waits is let go. */
  readonly stopping: AbortSignal
  /** A session is other than it was: wakes who watches it, here and on other nodes. */
  moved(session: SessionName): void
}

type ControlOptions = {
  readonly db: Database
  readonly elsewhere?: readonly Database[]
  readonly objects?: Objects | undefined
  readonly version: string
  readonly settings?: Partial<Settings>
  /** For what is derived; it may be empty or lost. */
  readonly derived: string
  readonly now?: () => number
  readonly onTrouble: (message: string) => void
}

/** Database and object store stay the caller's to close. */
export async function openControl(options: ControlOptions): Promise<Control> {
  const { db, version, now = Date.now } = options
  const settings = { ...SETTINGS, ...options.settings }
  const figures = createFigures()
  const onTrouble = (cause: unknown) =>
    options.onTrouble(`The database did not answer. (${errorText(cause)})`)
  const everyMs = settings.lookMs
  const stop = new AbortController()
  const stores = openStores(db, { folder: options.derived, now, onTrouble: options.onTrouble })
  const backfill = openBackfill(stores, { stopping: stop.signal, onTrouble })
  const redactor = createRedactor({ key: randomBytes(32) })
  const tail = await openTail(db, { everyMs, onTrouble })
  const notices = await openNotices(db)
  const access = openAccess(db, { everyMs, now, onTrouble })
  const changes = openChanges(db, { everyMs, now, onTrouble })
  const meter = openMeter(db, { now, onTrouble: options.onTrouble })
  const heard = openHeard(db, { now, onTrouble: options.onTrouble })
  const group = groupAppends(db, {
    now,
    onGrown(streams) {
      tail.grown(streams)
      db.wake(streams)
    },
    onCommit: figures.commit,
  })
  return {
    db,
    elsewhere: options.elsewhere ?? [],
    objects: options.objects,
    group,
    tail,
    notices,
    access,
    changes,
    stores,
    backfill,
    meter,
    heard,
    figures,
    settings,
    version,
    now,
    forGuest: async (value) => withoutPlaces(redactor.redactJson(value).value),
    stopping: stop.signal,
    moved(session) {
      const keys = [sessionKey(session)]
      tail.grown(keys)
      changes.hurry(session.tenant)
      db.wake(keys)
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      changes[Symbol.dispose]()
      notices[Symbol.dispose]()
      access[Symbol.dispose]()
      tail[Symbol.dispose]()
      await group.settled()
      await meter[Symbol.asyncDispose]()
      await heard[Symbol.asyncDispose]()
      await backfill.settled()
      await stores[Symbol.asyncDispose]()
    },
  }
}
