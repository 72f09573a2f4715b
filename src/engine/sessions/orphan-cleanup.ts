/**
 * What killed processes left in a home and no session settles when it is opened: files in the making, forks and imports
 * that were never finished, files for a forgetting that never began, locks and tokens. Nothing of it means anything any more.
 */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { layout } from '../../format/layout.ts'
import { SESSIONS, homeFolder, inHome, readName, sessionFolder } from '../../format/paths.ts'
import { decodeText } from '../../lib/bytes.ts'
import { eachApart } from '../../lib/each-apart.ts'
import { isFreePort } from '../../lib/free-port.ts'
import { deadLocks } from '../../log/inuse-lock.ts'
import { unfinishedForget } from '../../log/forget-intent.ts'
import { readLease } from '../../log/lease.ts'
import type { EngineContext } from '../engine-context.ts'
import { unfinishedForgetting } from '../forget/record.ts'
import { endTouched, isChanging } from '../catalogue/dirty-markers.ts'

export type Leftovers = {
  /** Below the home. */
  readonly paths: readonly string[]
  /** When something began to be forgotten that never came to its end: only who knows the text can go on with it. */
  readonly forgetting: readonly string[]
}

export async function leftovers(
  engine: EngineContext,
  { clear }: { readonly clear: boolean },
): Promise<Leftovers> {
  const { fs } = engine
  const own = homeFolder('catalogue')
  const paths = [
    ...(await unfinishedFolders(engine)),
    ...(await ofSessions(engine)),
    ...(await deadTokens(engine)),
    ...(await deadWebServer(engine)),
    ...(await fs.leftTemporary(SESSIONS)),
    ...(await fs.leftTemporary(own)),
  ]
  if (clear) {
    for (const path of paths) await fs.remove(path)
    await endTouched(fs)
  }
  return { paths, forgetting: (await unfinishedForgetting(fs)).map(({ at }) => at) }
}

const idInTheMaking = (name: string): SessionId | undefined =>
  (readName(layout.home.fork, name) ?? readName(layout.home.importing, name))?.id as
    SessionId | undefined

/** The folder of a fork or an import that is not finished. */
export const isInTheMaking = (name: string): boolean => idInTheMaking(name) !== undefined

const UNFINISHED_MS = 60 * 60_000

/** Of a process that has ended; where that is not known, those that nobody can still be making. */
export async function unfinishedFolders({ fs, clock }: EngineContext): Promise<readonly string[]> {
  const left: string[] = []
  for (const { name } of await fs.list(SESSIONS)) {
    const id = idInTheMaking(name)
    if (id === undefined) continue
    const path = `${SESSIONS}/${name}`
    const isMade = await isChanging(fs, id)
    const ageMs = clock().getTime() - ((await fs.stat(path))?.mtimeMs ?? Infinity)
    if (isMade === undefined ? ageMs > UNFINISHED_MS : !isMade) left.push(path)
  }
  return left
}

/** Only of sessions that no process has open: the one that has clears its own. */
async function ofSessions({ fs }: EngineContext): Promise<readonly string[]> {
  const { done } = await eachApart(await fs.list(SESSIONS), async ({ name }) => {
    const dir = `${SESSIONS}/${name}`
    if (!isSessionId(name) || (await readLease(fs, dir))?.alive === true) return []
    const isStaged = (await unfinishedForget(fs, dir)) === 'staged'
    const locks = await deadLocks(fs, dir)
    return isStaged ? [sessionFolder(dir, 'forgetStaged'), ...locks] : locks
  })
  return done.flat()
}

/** Where the web server was reached that has ended: nobody listens there any more. */
async function deadWebServer({ fs }: EngineContext): Promise<readonly string[]> {
  const path = inHome('webServer')
  const bytes = await fs.read(path)
  if (bytes === undefined) return []
  const port = /"url":"\w+:\/\/[^"]*:(\d+)"/.exec(decodeText(bytes))?.[1]
  return port === undefined || (await isFreePort(Number(port))) ? [path] : []
}

/** A server that ends removes its own. */
async function deadTokens({ fs }: EngineContext): Promise<readonly string[]> {
  const left: string[] = []
  for (const { name } of await fs.list(homeFolder('serverToken'))) {
    const port = readName(layout.home.serverToken, name)?.port
    if (port !== undefined && (await isFreePort(Number(port))))
      left.push(inHome('serverToken', { port }))
  }
  return left
}
