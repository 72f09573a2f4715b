/** The parts that undos took out of a session, and how some of them go for good, in one step. */
import type { SessionId } from '../../format/ids.ts'
import { layout } from '../../format/layout.ts'
import { inSession, logPath, readName, sessionFolder } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { findBytes } from '../../lib/find-bytes.ts'
import { replaceFiles, clearStaged } from '../../log/forget-intent.ts'
import { withFile } from '../../log/range.ts'
import { readLog } from '../../log/read.ts'
import { bytesPath, listRewound, type RewoundEntry } from '../../log/undo-log.ts'
import { keptWithout } from '../../log/spent.ts'
import { withoutEntries } from '../../project/discard.ts'
import { spentIn } from '../../state/spent.ts'
import type { EngineContext } from '../engine-context.ts'
import { eraseFollowers } from '../sessions/purge.ts'
import { forgetPromptsIn } from '../sessions/prompt-history.ts'
import { lookAtNote } from '../history/rewind-note.ts'
import { stageFiles } from './stage-files.ts'

export type Discarded = { readonly parts: number; readonly events: number }

/** Parts that were taken back up to this time. */
export const limitOf = ({ clock }: EngineContext, olderThanDays: number): string =>
  new Date(clock().getTime() - olderThanDays * 86_400_000).toISOString()

/** The caller has the right to write to the session. */
export async function discardParts(
  fs: SessionFs,
  dir: string,
  limit: string,
): Promise<readonly RewoundEntry[]> {
  const all = await listRewound(fs, dir)
  const some = all.filter(({ rewoundAt }) => rewoundAt <= limit)
  if (some.length === 0) return []
  await removeParts(fs, dir, some, all)
  return some
}

export async function afterDiscarding(
  engine: EngineContext,
  id: SessionId,
  gone: readonly RewoundEntry[],
): Promise<Discarded> {
  if (gone.length > 0) await eraseFollowers(engine, [id])
  return {
    parts: gone.length,
    events: gone.reduce((sum, { eventsRemoved }) => sum + eventsRemoved, 0),
  }
}

async function removeParts(
  fs: SessionFs,
  dir: string,
  gone: readonly RewoundEntry[],
  all: readonly RewoundEntry[],
): Promise<void> {
  const paths = gone.map(({ entry }) => bytesPath(dir, entry))
  const stays = all.filter((each) => !gone.includes(each)).map(({ entry }) => bytesPath(dir, entry))
  await forgetPromptsIn(fs, paths)
  const named = await namedIn(fs, paths)
  const restores = new Set<string>()
  for (const { entry } of gone)
    for (const noted of Object.values((await lookAtNote(fs, dir, entry))?.note ?? {}))
      if (noted?.id !== undefined) restores.add(noted.id)
  const { journal, contents } = await withoutEntries(fs, dir, { turns: named.events, restores })
  await clearStaged(fs, dir)
  // What was spent stays spent, whatever becomes of the words.
  const spent = await keptWithout(fs, dir, gone, spentIn)
  const staged = { changes: journal?.bytes, changesEnd: journal?.end, spent }
  const moves = await stageFiles(fs, dir, staged, 0)
  const files = [
    ...gone.flatMap(({ entry }) =>
      (['rewoundAbout', 'rewound', 'rewoundFiles'] as const).map((name) =>
        inSession(dir, name, { nnn: entry }),
      ),
    ),
    ...(await unneeded(fs, dir, named.blobs, [logPath(dir), ...stays])),
    ...(await checkpointsOf(fs, dir, named.checkpoints, stays.length === 0)),
    ...contents,
    inSession(dir, 'snapshot'),
  ]
  await replaceFiles(fs, dir, {
    moves,
    removes: files.map((path) => path.slice(dir.length + 1)),
    logSize: (await fs.stat(logPath(dir)))?.size ?? 0,
  })
}

type Named = {
  readonly events: ReadonlySet<string>
  readonly blobs: ReadonlySet<string>
  readonly checkpoints: ReadonlySet<number>
}

async function namedIn(fs: SessionFs, paths: readonly string[]): Promise<Named> {
  const [events, blobs, checkpoints] = [new Set<string>(), new Set<string>(), new Set<number>()]
  for (const path of paths) {
    for await (const { records } of readLog(fs, path)) {
      for (const { event } of records) {
        events.add(event.id)
        for (const [hash] of JSON.stringify(event.data).matchAll(/[0-9a-f]{64}/g)) blobs.add(hash)
        if (!('stranger' in event) && event.type === 'session.compaction_complete')
          checkpoints.add(event.data.checkpointNumber ?? 0)
      }
    }
  }
  return { events, blobs, checkpoints }
}

/** Blobs that nothing else names. */
async function unneeded(
  fs: SessionFs,
  dir: string,
  hashes: ReadonlySet<string>,
  others: readonly string[],
): Promise<readonly string[]> {
  const all = [...hashes]
  const needed = new Set<number>()
  for (const path of others) {
    const found = await withFile(fs, path, (file) =>
      findBytes(
        file,
        all.map((each) => Buffer.from(each)),
      ),
    )
    for (const index of found ?? []) needed.add(index)
  }
  return all
    .filter((_, index) => !needed.has(index))
    .map((sha256) => inSession(dir, 'blob', { sha256 }))
}

/** With the last part all of them go, and the list of their titles. */
async function checkpointsOf(
  fs: SessionFs,
  dir: string,
  numbers: ReadonlySet<number>,
  isLast: boolean,
): Promise<readonly string[]> {
  const folder = sessionFolder(dir, 'rewoundCheckpoint')
  return (await fs.list(folder))
    .filter(({ name }) => {
      const number = readName(layout.session.rewoundCheckpoint, name)?.nnn
      return isLast || (number !== undefined && numbers.has(Number(number)))
    })
    .map(({ name }) => `${folder}/${name}`)
}
