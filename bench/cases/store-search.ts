/** Search in a store of a million turns: inside a process, and as a command from the shell to the exit. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { applyChanges } from '../../src/store/apply.ts'
import { START, type Op } from '../../src/store/store-changes.ts'
import { connect } from '../../src/store/connection.ts'
import { sqlOf } from '../../src/store/sql.ts'
import { createStore } from '../../src/store/store.ts'
import { inTransaction } from '../../src/store/transaction.ts'
import type { Case } from '../case.ts'
import { seededBy, type Seeded } from '../history.ts'
import { measureWall, summaryOf, type Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'

const TURNS = 1_000_000
const TURNS_A_SESSION = 20
const BATCH_TURNS = 10_000
const WORDS_A_TURN = 60
const VOCABULARY = 100_000

/** From a word that is nearly everywhere to one that is in a handful of turns. */
const QUERIES = [
  'word9000',
  'word400 word7000',
  '"word30 word200"',
  'word12345',
  'word5000 word90',
  'word8012*',
  'word2',
  'word600 word601',
  'word1500',
  'word99999',
]

export async function fill({ home }: { home: string }): Promise<Sample> {
  const connection = connect(openDisk(home), { cacheFolder: home })
  const seeded = seededBy(7)
  await connection.use((db) => {
    const sql = sqlOf(db)
    const addSession = (first: number) => {
      const id = seeded.uuid() as SessionId
      const to = { ...START, offset: 1, lastEventId: 'e', turnCount: TURNS_A_SESSION }
      const facts = { file: { id, repository: `owner/project-${first % 97}` }, artifacts: [] }
      applyChanges(sql, { id, base: undefined, ops: turnsOf(seeded, first), to }, facts)
    }
    for (let batch = 0; batch < TURNS; batch += BATCH_TURNS) {
      inTransaction(db, () => {
        for (let at = 0; at < BATCH_TURNS; at += TURNS_A_SESSION) addSession(batch + at)
      })
    }
  })
  connection.close()
  return {}
}

function turnsOf(seeded: Seeded, done: number): Op[] {
  return Array.from({ length: TURNS_A_SESSION }, (_, index) => {
    const at = new Date(Date.UTC(2024, 0, 1) + (done + index) * 60_000).toISOString()
    const text = Array.from({ length: WORDS_A_TURN }, () => wordOf(seeded)).join(' ')
    const [user, assistant] = [text.slice(0, 120), text.slice(121)]
    return { kind: 'turn', turn: { index, start: index, eventId: `${index}`, at, user, assistant } }
  })
}

/** As in any language: the n-th word about 1/n as often as the first. */
const wordOf = (seeded: Seeded): string =>
  `word${Math.floor(VOCABULARY ** (seeded.below(1 << 20) / (1 << 20)))}`

export async function search({ home }: { home: string }): Promise<Sample> {
  const store = createStore(openDisk(home), { cacheFolder: home })
  await store.search({ query: 'nothing' })
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    for (const query of QUERIES) times.push((await timedAsync(() => store.search({ query }))).ms)
  }
  await store.close()
  const { median, p95 } = summaryOf(times)
  return { p50: median, p95 }
}

export const storeSearchCase: Case = {
  name: 'store-search',
  async figures({ homes: { root }, measure }) {
    const home = join(root, 'store-1m')
    const mark = join(root, 'store-1m.complete')
    if (!existsSync(mark)) {
      rmSync(home, { recursive: true, force: true })
      mkdirSync(home, { recursive: true, mode: 0o700 })
      await measure(1, { fill: { module: 'cases/store-search', probe: 'fill', args: { home } } })
      writeFileSync(mark, '')
    }
    const { inside } = await measure(3, {
      inside: { module: 'cases/store-search', probe: 'search', args: { home } },
    })
    const reprise = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'bin', 'reprise')
    const commands = {
      command: { file: reprise, args: ['search', 'word9000'], env: { REPRISE_HOME: home } },
      common: { file: reprise, args: ['search', 'word2'], env: { REPRISE_HOME: home } },
      node: { file: process.execPath, args: ['-e', '0'] },
    }
    await measureWall(1, commands)
    const { command, common, node } = await measureWall(9, commands)
    const limit = { name: 'node -e 0', measured: node('ms') }
    return [
      {
        name: 'search 1,000,000 turns in process, p50',
        unit: 'ms',
        target: { atMost: 20 },
        measured: inside('p50'),
      },
      {
        name: 'search 1,000,000 turns in process, p95',
        unit: 'ms',
        target: 'none',
        measured: inside('p95'),
      },
      { name: 'its memory', unit: 'MB', target: 'none', measured: inside('rssMb') },
      {
        name: 'reprise search, 1,000,000 turns',
        unit: 'ms',
        target: { atMost: 150 },
        measured: command('ms'),
        limit,
      },
      {
        name: 'reprise search, a word that is everywhere',
        unit: 'ms',
        target: 'none',
        measured: common('ms'),
        limit,
      },
    ]
  },
}
