/** Homes in which one part is not what it should be: a session of three, or something of the home itself. */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'

export const GOOD = '11111111-1111-4111-8111-111111111111'
export const BAD = '22222222-2222-4222-8222-222222222222'
export const NEWEST = '33333333-3333-4333-8333-333333333333'

/** Stands in every session. */
export const TEXT = 'zebrafish-4711'

/** `outside` lies beside the home: no command may change it. */
type Place = { readonly home: string; readonly outside: string }

export type Kind = {
  readonly name: string
  /** Another user than the one who runs the command owns it. */
  readonly isForeign?: true
  spoil(place: Place): void
}

type Make = (path: string) => void

const linkTo =
  (target: string): Make =>
  (path) =>
    fs.symlinkSync(target, path)
const file =
  (text: string): Make =>
  (path) =>
    fs.writeFileSync(path, text)
const folder: Make = (path) => fs.mkdirSync(path)
const pipe: Make = (path) => void execFileSync('mkfifo', [path])

const put = (name: string, part: string, make: Make): Kind => ({
  name,
  spoil: ({ home }) => {
    const path = join(home, part)
    for (const end of ['', '-wal', '-shm']) fs.rmSync(path + end, { recursive: true, force: true })
    fs.mkdirSync(join(path, '..'), { recursive: true })
    make(path)
  },
})

/** The thing itself lies outside, and a link to it in its place. */
const moved = (name: string, part: string): Kind => ({
  name,
  spoil: ({ home, outside }) => {
    const [path, target] = [join(home, part), join(outside, 'moved')]
    if (fs.existsSync(path)) fs.renameSync(path, target)
    else fs.mkdirSync(target)
    fs.symlinkSync(target, path)
  },
})

const closed = (name: string, part: string): Kind => ({
  name,
  spoil: ({ home }) => fs.chmodSync(join(home, part), 0),
})

const session = `session-state/${BAD}`

/** Not listed and not indexed: the session cannot be read at all. */
export const unreadable: readonly Kind[] = [
  moved('the folder a link', session),
  put('the folder a link to nothing', session, linkTo('/nowhere/at/all')),
  put('the folder a file', session, file('text')),
  put('the folder a pipe', session, pipe),
  closed('the folder closed', session),
  { name: 'the folder of another user', isForeign: true, spoil() {} },
  moved('the log a link', `${session}/events.jsonl`),
  put('the log a folder', `${session}/events.jsonl`, folder),
  put('the log a pipe', `${session}/events.jsonl`, pipe),
  closed('the log closed', `${session}/events.jsonl`),
]

/** What is kept beside the log cannot be used, so it cannot be resumed. */
export const unusable: readonly Kind[] = [
  moved('.reprise a link', `${session}/.reprise`),
  put('.reprise a link to nothing', `${session}/.reprise`, linkTo('/nowhere/at/all')),
  put('.reprise a link to itself', `${session}/.reprise`, linkTo('.reprise')),
  put('.reprise a file', `${session}/.reprise`, file('text')),
  put('.reprise a pipe', `${session}/.reprise`, pipe),
  closed('.reprise closed', `${session}/.reprise`),
]

/** The session goes on without it. */
export const partial: readonly Kind[] = [
  moved('checkpoints a link', `${session}/checkpoints`),
  moved('files a link', `${session}/files`),
  put('files a file', `${session}/files`, file('text')),
  moved('workspace.yaml a link', `${session}/workspace.yaml`),
  put('workspace.yaml a folder', `${session}/workspace.yaml`, folder),
]

/** The exit code of each command that does not end with 0, beside the parts of the home. */
export type HomeKind = Kind & { readonly codes: Readonly<Record<string, number>> }

const ill = { doctor: 5, repair: 5 }
const noTurn = { continue: 5, new: 5, resume: 5 }
const noSettings = { continue: 1, new: 1, resume: 1, forget: 1, prune: 1, undo: 1 }
const noSessions = {
  list: 5,
  home: 5,
  reindex: 5,
  forget: 5,
  prune: 5,
  search: 5,
  delete: 5,
  undo: 5,
}

export const homeKinds: readonly HomeKind[] = [
  {
    ...moved('contents a link', '.reprise/contents'),
    codes: { ...ill, ...noTurn, forget: 5, undo: 5 },
  },
  {
    ...put('contents a file', '.reprise/contents', file('text')),
    codes: { ...ill, ...noTurn, forget: 5, undo: 5 },
  },
  { ...put('the store a folder', 'session-store.db', folder), codes: {} },
  { ...moved('the store a link', 'session-store.db'), codes: {} },
  {
    ...put('the store no database', 'session-store.db', file('x'.repeat(5000))),
    codes: { doctor: 5 },
  },
  { ...put('touched a file', '.reprise/touched', file('text')), codes: ill },
  {
    ...moved('session-state a link', 'session-state'),
    codes: { ...ill, ...noTurn, ...noSessions },
  },
  {
    ...put('config.json no JSON', '.reprise/config.json', file('{ no')),
    codes: { ...ill, ...noSettings },
  },
  {
    ...put('config.json a folder', '.reprise/config.json', folder),
    codes: { ...ill, ...noSettings },
  },
  { ...put('seal-key empty', '.reprise/seal-key', file('')), codes: { ...ill, ...noTurn } },
  { ...put('redaction-key empty', '.reprise/redaction-key', file('')), codes: ill },
  {
    ...put('catalogue.json a folder', '.reprise/catalogue.json', folder),
    codes: { ...ill, forget: 5 },
  },
  { ...put('catalogue a file', '.reprise/catalogue', file('text')), codes: ill },
  {
    ...put('trash a file', '.reprise/trash', file('text')),
    codes: { ...ill, trash: 5, prune: 5, delete: 5, forget: 5 },
  },
  {
    ...put('board.json a folder', '.reprise/board/board.json', folder),
    codes: { ...ill, forget: 4, board: 5 },
  },
]
