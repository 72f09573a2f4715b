/** Says exactly what a log holds, what is wrong with it and what is kept beside it. Changes nothing. */
import type { SessionFs } from '../fs/session-fs.ts'
import { defined } from '../lib/defined.ts'
import { layout } from '../format/layout.ts'
import { logPath, readName, sessionFolder } from '../format/paths.ts'
import { readWholeLog } from './read-whole.ts'
import type { Finding, LogRecord } from './record.ts'
import { hasRedoIntent } from './redo.ts'
import { listRewound, type RewoundEntry } from './undo-log.ts'

type KeptPiece = { readonly name: string; readonly bytes: number }

export type LogReport = {
  readonly exists: boolean
  readonly bytes: number
  readonly events: number
  /** So many of `events` are kept, but have a type or shape that is not known here. */
  readonly strangers: number
  readonly hasStart: boolean
  readonly firstAt?: string
  readonly lastAt?: string
  readonly findings: readonly Finding[]
  /** Bytes of the log that no record could be made of. */
  readonly lostBytes: number
  readonly rewound: readonly RewoundEntry[]
  readonly torn: readonly KeptPiece[]
  readonly quarantined: readonly KeptPiece[]
  /** The log as it was before it was mended. */
  readonly beforeMend: readonly KeptPiece[]
  /** A redo was interrupted; opening the log settles it. */
  readonly hasUnfinishedRedo: boolean
}

export async function inspectLog(
  fs: SessionFs,
  dir: string,
  sessionId: string,
  onRecord: (record: LogRecord) => void = () => {},
): Promise<LogReport> {
  const stat = await fs.stat(logPath(dir))
  return {
    exists: stat !== undefined,
    bytes: stat?.size ?? 0,
    ...(await inspectBytes(fs, dir, sessionId, onRecord)),
    rewound: await listRewound(fs, dir),
    torn: await piecesIn(fs, sessionFolder(dir, 'torn')),
    quarantined: await piecesIn(fs, sessionFolder(dir, 'quarantined')),
    beforeMend: (await piecesIn(fs, sessionFolder(dir, 'beforeMend'))).filter(
      ({ name }) => readName(layout.session.beforeMend, name) !== undefined,
    ),
    hasUnfinishedRedo: await hasRedoIntent(fs, dir),
  }
}

/** Of a log that cannot be looked at. */
export const NO_LOG: LogReport = {
  exists: false,
  bytes: 0,
  events: 0,
  strangers: 0,
  hasStart: false,
  findings: [],
  lostBytes: 0,
  rewound: [],
  torn: [],
  quarantined: [],
  beforeMend: [],
  hasUnfinishedRedo: false,
}

async function inspectBytes(
  fs: SessionFs,
  dir: string,
  sessionId: string,
  onRecord: (record: LogRecord) => void,
) {
  let events = 0
  let strangers = 0
  let hasStart = false
  let firstAt: string | undefined
  let lastAt: string | undefined
  const findings: Finding[] = []
  for await (const batch of readWholeLog(fs, logPath(dir), { sessionId })) {
    for (const record of batch.records) {
      const { event } = record
      onRecord(record)
      events += 1
      if ('stranger' in event) strangers += 1
      if (event.type === 'session.start') hasStart = true
      firstAt ??= event.timestamp
      lastAt = event.timestamp
    }
    for (const each of batch.findings) findings.push(each)
  }
  return {
    events,
    strangers,
    hasStart,
    ...defined({ firstAt, lastAt }),
    findings,
    lostBytes: lostBytesOf(findings),
  }
}

const lostBytesOf = (findings: readonly Finding[]): number =>
  findings.filter(isLoss).reduce((sum, { start, end }) => sum + end - start, 0)

/** A missing start is named, but no bytes are lost with it: the record at that place is there. */
export const isLoss = ({ kind, recovered }: Finding): boolean => !recovered && kind !== 'no_start'

async function piecesIn(fs: SessionFs, folder: string): Promise<KeptPiece[]> {
  const pieces: KeptPiece[] = []
  for (const { name, kind } of await fs.list(folder)) {
    if (kind !== 'file') continue
    const stat = await fs.stat(`${folder}/${name}`)
    if (stat !== undefined) pieces.push({ name, bytes: stat.size })
  }
  return pieces.sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
}
