/** `/reindex`: the index of all sessions is brought up to the logs, and where that is wanted their copies elsewhere too. */
import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import { grouped } from '../lib/grouped.ts'
import { counted } from '../lib/quantities.ts'
import { command, type CommandContext } from './command.ts'
import { asking, reading } from './fresh-store.ts'
import type { Store } from '../store/store.ts'
import { code, plain } from './markdown.ts'
import { remoteOf } from './remote.ts'
import { offerSync, saySynced, sync } from './sync.ts'

export const reindex = command({
  name: 'reindex',
  aliases: ['chronicle reindex'],
  summary: 'bring the index of all sessions up to the logs',
  changes: 'store',
  on: 'home',
  args: z.object({
    force: z.boolean().optional().describe('read everything again, not only what changed'),
    cloud: z
      .boolean()
      .optional()
      .describe('send all sessions to Mission Control too, without asking'),
  }),
  run: (context, { force, cloud = false }) =>
    asking(async () => {
      const remote = cloud ? await remoteOf(context) : undefined
      const history = cloud ? {} : await offerSync(context)
      const local = await indexHere(context, force)
      if (history === undefined || !local.finished) return local
      return { ...local, cloud: await sync(context, remote ?? (await remoteOf(context)), history) }
    }),
  say({ indexed, skipped, removed, failed, finished, vectors, ...rest }, wording) {
    const parts = [
      `${counted(indexed, 'session')} indexed`,
      `${grouped(skipped)} unchanged`,
      ...(removed > 0 ? [`${grouped(removed)} no longer there`] : []),
      ...(failed.length > 0 ? [`${grouped(failed.length)} failed`] : []),
    ]
    return [
      `${parts.join(', ')}.`,
      ...failed.map(({ id, reason }) => `- ${code(id)} ${plain(reason)}`),
      ...(failed.length > 0 ? ['reprise doctor looks at what is wrong with them.'] : []),
      ...(finished ? [] : ['Stopped before the end. The next run goes on from here.']),
      ...(vectors === undefined ? [] : [vectors]),
      ...('cloud' in rest ? saySynced(rest.cloud, wording) : []),
    ].join('\n')
  },
})

async function indexHere(context: CommandContext, force: boolean | undefined) {
  context.working?.('Reindexing sessions into SQLite store…')
  try {
    const store = await context.store()
    const { signal } = context.waiting ?? {}
    const done = await store.reindex({ ...reading(context), ...defined({ force, signal }) })
    const vectors = done.finished ? await makeVectors(context, store) : undefined
    return { ...done, path: await store.path(), ...defined({ vectors }) }
  } finally {
    context.working?.(undefined)
  }
}

/** Undefined when no endpoint is named for it. One that is away holds up nothing else. */
async function makeVectors(context: CommandContext, store: Store): Promise<string | undefined> {
  const { NoEmbedding } = await import('../store/embeddings/embedder.ts')
  try {
    const kept = await store.keepVectors({
      ...defined({ signal: context.waiting?.signal }),
      onProgress: (done, total) =>
        context.working?.(`${grouped(done)} of ${grouped(total)} sessions known by meaning`),
    })
    return kept && `${counted(kept.made, 'session')} made known by meaning.`
  } catch (cause) {
    if (!(cause instanceof NoEmbedding)) throw cause
    return `${cause.message} Sessions are found by words alone until it does.`
  }
}
