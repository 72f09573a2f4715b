/** /search: what was said and done in all sessions, as a list. A hit opens its session where it was said. */
import type { Hit } from '../../../store/search.ts'
import type { Snippet } from '../../../store/snippet.ts'
import { counted } from '../commands/command.ts'
import type { CommandHost } from '../commands/command.ts'
import { ago } from '../view/text.ts'
import { freshStore } from './fresh-store.ts'

const MOST = 100

export async function search(host: CommandHost, given: string): Promise<void> {
  const words = given === '' ? await host.ask('Search for') : given
  if (words === undefined || words.trim() === '') return
  const store = await freshStore(host)
  const found = await store.search({ query: words, limit: MOST, now: host.now() })
  if (found.hits.length === 0) return host.say(nothing(words, found.suggestions), 'faint')
  const title = `${counted(found.hits.length, 'hit')} for "${words}"${found.isPartial ? ', of the newest' : ''}`
  const chosen = await host.chooseDeed(
    title,
    found.hits.map((hit) => ({ label: hit.name, detail: about(hit, host), value: hit })),
    [
      ['enter', 'opens'],
      ['f', 'forks'],
    ],
    async (hit) => flat(hit.snippet),
  )
  if (chosen?.deed === 'enter') await host.open(chosen.value.sessionId, chosen.value.turn)
  if (chosen?.deed === 'f') await forkFrom(host, chosen.value)
}

function nothing(
  words: string,
  suggestions: readonly { readonly word: string; readonly instead: readonly string[] }[],
): string {
  const hints = suggestions.map(
    ({ word, instead }) => `Nothing has "${word}". Did you mean ${instead.join(', ')}?`,
  )
  return hints.length === 0 ? `Nothing was found for "${words}".` : hints.join('\n')
}

const about = ({ role, turn, repository, at }: Hit, host: CommandHost): string =>
  [role, turn === undefined ? undefined : `turn ${turn + 1}`, repository, ago(at, host.now())]
    .filter((part) => part !== undefined)
    .join(' · ')

/** On its lines, with the matches in brackets: a list has no other way to mark them without colour. */
function flat({ text, ranges, isCut }: Snippet): string[] {
  let marked = isCut.before ? '…' : ''
  let last = 0
  for (const { start, end } of ranges) {
    marked += `${text.slice(last, start)}[${text.slice(start, end)}]`
    last = end
  }
  return `${marked}${text.slice(last)}${isCut.after ? '…' : ''}`.split('\n')
}

/** From behind the turn of the hit, so that it is the last of the copy. */
async function forkFrom(host: CommandHost, { sessionId, turn }: Hit): Promise<void> {
  const next =
    turn === undefined
      ? undefined
      : (await (await host.engine.open(sessionId)).rewindPoints()).find(
          ({ index }) => index === turn + 1,
        )
  const forked = await (
    await host.engine.open(sessionId)
  ).fork(next === undefined ? {} : { before: next.eventId })
  await host.open(forked.sessionId)
  host.say(`This is "${forked.name}", forked from ${sessionId.slice(0, 8)}.`, 'good')
}
