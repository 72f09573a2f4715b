/**
 * The files of a lease, in `<session>/.reprise/lease/`, and how to read them:
 *
 *     0000000007.json        generation 7: who claimed it; the highest generation is the lease
 *     0000000007.heartbeat   touched by its holder while it lives
 *     0000000007.released    its holder gave it back
 *     request-<time>-<nonce>.json   a process waits for it; the names sort by age
 *
 * A claim is created exclusively, so the next number goes to exactly one process. The highest generation is
 * never removed: a process that comes late with a lower number sees that it lost.
 */
import { randomUUID } from 'node:crypto'
import { layout } from '../format/layout.ts'
import { fileName, readName, sessionFolder } from '../format/paths.ts'
import type { FileStat, SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { isAlive, type Liveness, type ProcessIdentity } from '../lib/process-identity.ts'

/** `live`: from a process that may still have the log open and write into it late. */
export type TakenOver = 'no' | 'dead' | 'live'

/** Who claimed a generation, or asks for one. The nonce tells two claims of one process apart. */
export type Claim = ProcessIdentity & {
  readonly nonce: string
  readonly since: string
  readonly label: string
  readonly takenOver: TakenOver
}

export type LeaseView = {
  readonly generation: number
  /** Undefined when there is none, or when its file is not readable as one. */
  readonly claim: Claim | undefined
  readonly isReleased: boolean
  /** Names of request files, oldest first. */
  readonly requests: readonly string[]
  readonly names: readonly string[]
}

export const leaseFolder = (sessionDir: string): string => sessionFolder(sessionDir, 'lease')

type Suffix = 'json' | 'heartbeat' | 'released'
export const generationFile = (folder: string, generation: number, suffix: Suffix): string =>
  `${folder}/${fileName(layout.session.lease, { generation: String(generation).padStart(10, '0'), sign: suffix })}`

export const requestName = (claim: Claim): string =>
  fileName(layout.session.leaseRequest, {
    since: String(Date.parse(claim.since)).padStart(15, '0'),
    nonce: claim.nonce,
  })

export async function viewLease(fs: SessionFs, folder: string, tries = 3): Promise<LeaseView> {
  const names = (await fs.list(folder)).map(({ name }) => name)
  const generation = Math.max(
    0,
    ...names.filter((name) => name.endsWith('.json')).map(generationOf),
  )
  const path = generationFile(folder, generation, 'json')
  const claim = generation === 0 ? undefined : await readClaim(fs, path)
  if (generation > 0 && claim === undefined && tries > 1 && (await fs.stat(path)) === undefined) {
    // It was swept between the two looks, so there is a higher one by now.
    return viewLease(fs, folder, tries - 1)
  }
  return {
    generation,
    claim,
    isReleased: names.some(
      (name) => name.endsWith('.released') && generationOf(name) === generation,
    ),
    requests: names.filter((name) => readName(layout.session.leaseRequest, name)).sort(),
    names,
  }
}

/** 0 for every other file. */
export const generationOf = (name: string): number =>
  Number(readName(layout.session.lease, name)?.generation ?? 0)

export const encodeClaim = (claim: Claim): Uint8Array => encodeText(`${JSON.stringify(claim)}\n`)

export async function readClaim(fs: SessionFs, path: string): Promise<Claim | undefined> {
  const bytes = await fs.read(path)
  if (bytes === undefined) return undefined
  try {
    const found = JSON.parse(decodeText(bytes)) as Partial<Record<keyof Claim, unknown>>
    const { pid, takenOver } = found
    const text = (value: unknown): string => (typeof value === 'string' ? value : '')
    if (
      typeof pid !== 'number' ||
      typeof found.host !== 'string' ||
      typeof found.nonce !== 'string'
    )
      return undefined
    return {
      host: found.host,
      machine: text(found.machine),
      bootId: text(found.bootId),
      pidSpace: text(found.pidSpace),
      pid,
      startTime: text(found.startTime),
      nonce: found.nonce,
      since: text(found.since),
      label: text(found.label),
      takenOver: takenOver === 'dead' || takenOver === 'live' ? takenOver : 'no',
    }
  } catch {
    // Not JSON: torn, or of another program. Whether its writer lives is unknown, so its heartbeat decides.
    return undefined
  }
}

/** The last sign of life: the heartbeat, or the claim itself while there is none yet. */
export async function lastSign(
  fs: SessionFs,
  folder: string,
  generation: number,
): Promise<FileStat | undefined> {
  const paths = [
    generationFile(folder, generation, 'heartbeat'),
    generationFile(folder, generation, 'json'),
  ]
  const [heartbeat, claim] = await fs.statMany(paths)
  return heartbeat ?? claim
}

/** Every nonce made here begins so: another thread of this process, or a second copy of this program in it, has its own. */
const MAKER = `${randomUUID().slice(0, 8)}-`

export const newNonce = (): string => MAKER + randomUUID()

/** What is asked or held with now. A claim made here and not among them could not be given back when its holder ended. */
export const noncesInUse = new Set<string>()

/** A claim that cannot be read was made by a process of which nothing is known. */
export function livenessOf(claim: Claim | undefined): Liveness {
  if (claim === undefined) return 'unknown'
  if (claim.nonce.startsWith(MAKER) && !noncesInUse.has(claim.nonce)) return 'dead'
  return isAlive(claim)
}
