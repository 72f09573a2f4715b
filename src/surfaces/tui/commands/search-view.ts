/** /search: the hits as a list. One opens its session where it was said, or a fork that ends there. */
import { slash } from '../../../commands/fields.ts'
import { resolveAnywhere } from '../../../commands/find-session.ts'
import { fork } from '../../../commands/fork.ts'
import { aboutHit, hitsTitle, marked, search } from '../../../commands/search.ts'
import { farBehind } from '../../../commands/remote-query.ts'
import { behind } from '../../../commands/fresh-store.ts'
import { defined } from '../../../lib/defined.ts'
import type { Hit } from '../../../store/search.ts'
import type { CommandHost } from './command.ts'
import { resultOf, tellResult } from './show-result.ts'

type Found = Awaited<ReturnType<typeof search.run>>

export async function searchView(host: CommandHost, found: Found): Promise<void> {
  if (found.hits.length === 0) return tellResult(host, search, found)
  if (found.stale) host.say(behind({ call: slash }), 'faint')
  if ('behind' in found) for (const unread of farBehind(found.behind)) host.say(unread, 'faint')
  const chosen = await host.chooseDeed(
    hitsTitle(found),
    found.hits.map((hit) => ({ label: hit.name, detail: aboutHit(hit, host.now()), value: hit })),
    [
      ['enter', 'opens'],
      ['f', 'forks'],
    ],
    async ({ snippet }) => marked(snippet).split('\n'),
  )
  if (chosen !== undefined && 'of' in found)
    await resolveAnywhere(host.engine, chosen.value.sessionId)
  if (chosen?.deed === 'enter') await host.open(chosen.value.sessionId, chosen.value.turn)
  if (chosen?.deed === 'f') await forkFrom(host, chosen.value)
}

/** From behind the turn of the hit, so that it is the last of the copy. */
async function forkFrom(host: CommandHost, { sessionId, turn }: Hit): Promise<void> {
  const points = await (await host.engine.open(sessionId)).rewindPoints()
  const before = points.find(({ index }) => turn !== undefined && index === turn + 1)?.eventId
  tellResult(host, fork, await resultOf(host, fork, defined({ before }), sessionId))
}
