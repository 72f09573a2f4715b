/**
 * Copies what a session owns besides its log into the folder of a fork: plan, checkpoints, files,
 * research, and what is known of its agents' own sessions. Returns when all of it would survive a power cut, so that the fork can appear in one step.
 */
import { inSession, sessionFolder } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { inLanes } from '../lib/map-concurrent.ts'
import { CHECKPOINTS, indexCheckpoints, listCheckpoints } from './checkpoints.ts'
import { FILES, RESEARCH, filesBelow, listFiles } from './files.ts'
import { PLAN } from './plan.ts'
import { readRepositoryKey, writeRepositoryKey } from './repository-key.ts'

type CopyOptions = {
  readonly plan: boolean
  /** Numbers of the checkpoints that the fork keeps. */
  readonly checkpoints: readonly number[]
  /** Asked with paths like `files/notes/a.md`. */
  readonly leaveOut: (path: string) => boolean
}

const LANES = 8

export async function copyWorkspace(
  fs: SessionFs,
  from: string,
  to: string,
  { plan, checkpoints, leaveOut }: CopyOptions,
): Promise<void> {
  await fs.mkdir(`${to}/${FILES}`)
  await fs.mkdir(`${to}/${RESEARCH}`)
  const kept = (await listCheckpoints(fs, from)).filter(({ number }) =>
    checkpoints.includes(number),
  )
  const files = (await listFiles(fs, from)).map(({ path }) => path)
  const hasPlan = plan && (await fs.stat(`${from}/${PLAN}`))?.kind === 'file'
  const paths = [
    ...kept.map(({ file }) => `${CHECKPOINTS}/${file}`),
    ...files.filter((path) => !leaveOut(path)),
    ...(hasPlan ? [PLAN] : []),
  ]
  await inLanes(paths, LANES, (path) => copyDurably(fs, `${from}/${path}`, `${to}/${path}`))
  await indexCheckpoints(fs, to, kept)
  await shareBlobs(fs, from, to)
  // What the agents know: each may branch off its own memory; none goes on in that of the source.
  const agents = inSession(from, 'agent')
  if ((await fs.stat(agents))?.kind === 'file')
    await copyDurably(fs, agents, inSession(to, 'agent'))
  const key = await readRepositoryKey(fs, from)
  if (key !== undefined) await writeRepositoryKey(fs, to, key)
}

/** Blobs are never written again, so a fork costs their names and not their bytes. */
async function shareBlobs(fs: SessionFs, from: string, to: string): Promise<void> {
  const blobs = await filesBelow(fs, sessionFolder(from, 'blob'))
  await inLanes(blobs, LANES, (path) => fs.share(path, `${to}/${path.slice(from.length + 1)}`))
}

async function copyDurably(fs: SessionFs, from: string, to: string): Promise<void> {
  await fs.copy(from, to)
  const file = await fs.openAppend(to)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
