/**
 * Forgets deleted sessions for good. What was made of them elsewhere goes first, their folders last: a crash in between
 * leaves them in the trash, and the next purge begins again. What another session has of the same words is its own.
 */
import type { SessionId } from '../../format/ids.ts'
import { layout } from '../../format/layout.ts'
import { SESSIONS, fileName, homeFolder, inHome, readName } from '../../format/paths.ts'
import { clearTemporary } from '../../fs/clear-temporary.ts'
import { collectContents } from '../../project/collect-contents.ts'
import { readForkOrigin } from '../../workspace/fork-origin.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { eachApart } from '../../lib/each-apart.ts'
import { errorText } from '../../lib/error-text.ts'
import { dropFromCatalogue } from '../catalogue/catalogue-drop.ts'
import { forgetPrompts } from './prompt-history.ts'

type Purged = { readonly id: SessionId; readonly path: string }

export async function purge(engine: EngineContext, gone: readonly Purged[]): Promise<void> {
  const { fs } = engine
  if (gone.length === 0) return
  const ids = gone.map(({ id }) => id)
  await eraseFollowers(engine, ids)
  for (const { path } of gone) await forgetPrompts(fs, path)
  await dropFromCatalogue(fs, ids)
  await removeUnfinishedForks(engine, ids)
  await clearTemporary(fs, homeFolder('catalogue'))
  for (const { id, path } of gone) {
    await fs.remove(inHome('archived', { id }))
    await removeRescued(fs, id)
    await fs.remove(path)
  }
  await collectContents(fs)
}

export async function eraseFollowers(
  { changes }: EngineContext,
  ids: readonly SessionId[],
): Promise<void> {
  if (ids.length === 0) return
  await changes.erase(ids).catch((cause: unknown) => {
    throw new EngineError(
      'busy',
      `Words of it are still in the index or on the board of this home: ${errorText(cause)} What was deleted is in the trash; "reprise sessions delete --now" can be said again.`,
      { cause },
    )
  })
}

/** The bytes that it was imported from. That it was is still known: no later import brings it back. */
async function removeRescued(fs: EngineContext['fs'], id: SessionId): Promise<void> {
  const folder = `${homeFolder('rescued')}/${id}`
  for (const { name } of await fs.list(folder))
    if (name !== fileName(layout.home.rescuedAbout, { id })) await fs.remove(`${folder}/${name}`)
}

/** A killed fork leaves a copy that nobody can see. */
async function removeUnfinishedForks(
  { fs }: EngineContext,
  ids: readonly SessionId[],
): Promise<void> {
  await eachApart(await fs.list(SESSIONS), async ({ name }) => {
    if (readName(layout.home.fork, name) === undefined) return
    const origin = await readForkOrigin(fs, `${SESSIONS}/${name}`)
    if (origin !== undefined && ids.includes(origin)) await fs.remove(`${SESSIONS}/${name}`)
  })
}
