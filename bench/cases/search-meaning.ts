/**
 * A hundred questions in other words than those of the sessions that they are about: how often the right session is
 * among the first three, by words alone and with vectors. The vectors are made by the endpoint of the tests, which is no
 * model: it knows which words of the corpus mean the same. So this measures what fusing adds, not how good a model is.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answered, logOf, said, started } from '../../test/log-of.ts'
import { startEmbeddings } from '../../test/support/embedding-server.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { createEmbedder } from '../../src/store/embeddings/embedder.ts'
import { createStore } from '../../src/store/store.ts'
import type { Case } from '../case.ts'
import type { Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'

/** What is done, and to what: the first word is the session's, the second the question's. */
const DEEDS =
  'repair mend|accelerate quicken|delete purge|rename relabel|encrypt cipher|compress squeeze|validate verify|schedule plan|duplicate clone|measure gauge'
const THINGS =
  'signin authentication|picture image|invoice bill|automobile vehicle|buyer customer|cellar basement|physician doctor|ocean sea|garbage trash|ladder steps'
const pairs = (text: string) => text.split('|').map((pair) => pair.split(' ') as [string, string])

/** Each also names something that others name, too, so that words alone are not lost altogether. */
const PLACES = ['parser', 'server', 'terminal', 'index', 'page']
const OTHERS = 400

export async function ask({ home }: { home: string }): Promise<Sample> {
  const topics = pairs(DEEDS).flatMap((deed) => pairs(THINGS).map((thing) => ({ deed, thing })))
  topics.forEach(({ deed, thing }, at) => {
    write(home, at, `We should ${deed[0]} the ${thing[0]} in the ${PLACES[at % PLACES.length]}`)
  })
  for (let at = 0; at < OTHERS; at++)
    write(home, topics.length + at, `Look at ${PLACES[at % PLACES.length]} number ${at} once more`)
  await using server = await startEmbeddings([...DEEDS.split('|'), ...THINGS.split('|')])
  const place = { cacheFolder: home }
  const words = createStore(openDisk(home), place)
  await words.reindex()
  const both = createStore(openDisk(home), {
    ...place,
    embedder: async () => createEmbedder({ url: server.url, model: 'made for the bench' }),
  })
  const made = await timedAsync(() => both.keepVectors())
  const hits = { words: 0, both: 0 }
  const spent = { words: 0, both: 0 }
  for (const [at, { deed, thing }] of topics.entries()) {
    // A third of them remembers one word.
    const named = at % 3 === 0 ? thing[0] : thing[1]
    const query = `how did we ${deed[1]} that ${named} of the ${PLACES[at % PLACES.length]}`
    for (const [name, store] of Object.entries({ words, both })) {
      const found = await timedAsync(() => store.search({ query, limit: 20 }))
      const first = [...new Set(found.result.hits.map(({ sessionId }) => sessionId))].slice(0, 3)
      const key = name as keyof typeof hits
      spent[key] += found.ms
      if (first.includes(idOf(at))) hits[key] += 1
    }
  }
  await Promise.all([words.close(), both.close()])
  const each = topics.length
  return {
    words: hits.words,
    both: hits.both,
    wordsMs: spent.words / each,
    bothMs: spent.both / each,
    made: made.ms,
  }
}

const idOf = (number: number) =>
  `${String(number).padStart(8, '0')}-1111-4111-8111-111111111111` as never

function write(home: string, number: number, prompt: string): void {
  const sessionId: string = idOf(number)
  const folder = join(home, 'session-state', sessionId)
  mkdirSync(folder, { recursive: true })
  const drafts = [started({ sessionId }), said(prompt), answered('It is done as you asked.')]
  const lines = logOf(drafts).map(
    ({ event }) => `${JSON.stringify({ ...event, id: crypto.randomUUID() })}\n`,
  )
  writeFileSync(join(folder, 'events.jsonl'), lines.join(''))
}

export const searchMeaningCase: Case = {
  name: 'search-meaning',
  async figures({ scratch, measure }) {
    const home = join(scratch, 'meaning-home')
    const { ours } = await measure(1, {
      ours: { module: 'cases/search-meaning', probe: 'ask', args: { home } },
    })
    const figure = (name: string, of: string, unit: 'ms' | '%') =>
      ({ name, unit, target: 'none', measured: ours(of) }) as const
    return [
      figure(
        'paraphrased questions with the right session among the first three, by words',
        'words',
        '%',
      ),
      figure('the same with vectors (of an endpoint made for the bench)', 'both', '%'),
      figure('a question by words, 500 sessions', 'wordsMs', 'ms'),
      figure('a question by words and meaning', 'bothMs', 'ms'),
      figure('vectors of 500 sessions', 'made', 'ms'),
    ]
  },
}
