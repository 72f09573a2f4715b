/**
 * What this home wrote itself is known by a seal: a session's folder may come from elsewhere, and what it asks to be
 * done to the user's files is then not done. The key stays in the home, readable to its owner alone.
 *
 * Sessions that are older than the key are listed with it when it is made: their records have no seals, and go on
 * working.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { SESSIONS, TRASH, homeFolder, inHome, inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { statEach } from '../fs/stat-each.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { sha256Hex, type Checked } from '../lib/checksum.ts'
import { attempt } from '../lib/each-apart.ts'

export interface Sealer {
  /** `about` keeps a seal from being used for another purpose, or for another session. */
  seal(about: string, text: string): Promise<string>
  /** False in a home that has never sealed anything. */
  isSealed(about: string, text: string, seal: string): boolean
  /** Whether a record of this session without seals may be ours: it is older than the first seal. */
  isOlder(dir: string): boolean
}

const KEY_BYTES = 32

export async function openSealer(fs: SessionFs): Promise<Sealer> {
  let known = await stored(fs)
  const older = known?.older
  return {
    seal: async (about, text) => signed((known ??= await make(fs)).key, about, text),
    isSealed(about, text, seal) {
      if (known === undefined) return false
      const expected = Buffer.from(signed(known.key, about, text))
      const given = Buffer.from(seal)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
    isOlder: (dir) => older === undefined || older.has(nameOf(dir)),
  }
}

type Known = { readonly key: string; readonly older: ReadonlySet<string> }

const signed = (key: string, about: string, text: string): string =>
  createHmac('sha256', key).update(`${about}\n${text}`).digest('hex')

/** The first line is the key, the next are the sessions that are older, the last is the hash of those before it. */
async function stored(fs: SessionFs): Promise<Known | undefined> {
  const bytes = await fs.read(inHome('sealKey'))
  const [key = '', ...older] = bytes === undefined ? [] : decodeText(bytes).split('\n')
  // A damaged one goes on being used: what it does not fit is taken for another home's, and doctor says why.
  return key.length === 2 * KEY_BYTES ? { key, older: new Set(older) } : undefined
}

export async function lookAtSealKey(fs: SessionFs): Promise<Checked | undefined> {
  const bytes = await fs.read(inHome('sealKey'))
  return bytes && checkedSealKey(bytes)
}

function checkedSealKey(bytes: Uint8Array): Checked {
  const [, before = '', hash] = HASHED.exec(decodeText(bytes)) ?? []
  if (hash !== undefined) return sha256Hex(before) === hash ? 'right' : 'wrong'
  return /^[0-9a-f]{64}\n(?:[\w.-]+\n)*$/.test(decodeText(bytes)) ? 'absent' : 'wrong'
}

const HASHED = /^([^]*\n)sha256:([0-9a-f]{64})\s*$/

/** Why what tools change cannot be recorded in this home, so that nothing could be undone; undefined when it can. */
export async function recordFault(fs: SessionFs): Promise<string | undefined> {
  for (const name of ['contents', 'tree'] as const) {
    const folder = await attempt(() => fs.list(homeFolder(name)))
    if ('reason' in folder) return folder.reason
  }
  const key = await attempt(async () => [await fs.read(inHome('sealKey')), await stored(fs)])
  if ('reason' in key) return key.reason
  const [bytes, known] = key.ok
  return bytes !== undefined && known === undefined
    ? `${fs.nativePath(inHome('sealKey'))} is damaged`
    : undefined
}

/** Two processes that make one at once both go on with the one that was first. */
async function make(fs: SessionFs): Promise<Known> {
  const key = randomBytes(KEY_BYTES).toString('hex')
  const older = await recordedSessions(fs)
  const before = [key, ...older, ''].join('\n')
  const text = `${before}sha256:${sha256Hex(before)}\n`
  if (await fs.createExclusive(inHome('sealKey'), encodeText(text))) {
    return { key, older: new Set(older) }
  }
  const first = await stored(fs)
  if (first === undefined) throw new Error(`${fs.nativePath(inHome('sealKey'))} is damaged`)
  return first
}

/** Those that have a record of files now. */
async function recordedSessions(fs: SessionFs): Promise<readonly string[]> {
  const dirs: string[] = []
  for (const folder of [SESSIONS, TRASH]) {
    for (const { name } of await fs.list(folder)) dirs.push(`${folder}/${name}`)
  }
  const stats = await statEach(
    fs,
    dirs.map((dir) => inSession(dir, 'changes')),
  )
  return dirs.flatMap((dir, index) => (stats[index] === undefined ? [] : [nameOf(dir)]))
}

/** The id, in the trash too. */
const nameOf = (dir: string): string => dir.slice(dir.lastIndexOf('/') + 1).split('~')[0] ?? ''
