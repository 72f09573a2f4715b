/** What a process that serves others feels of the index that it keeps besides. */
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { setImmediate as nextRound } from 'node:timers/promises'
import { answered, said } from '../../test/log-of.ts'
import { openStoreHome, sessionId } from '../../test/support/store.ts'

const ID = sessionId(1)
const TURNS = 2000
const STEPS = 250

it('lets a call of many short steps pass while a long log is indexed, and hurries when it is waited for', async () => {
  await using home = openStoreHome()
  home.write(
    ID,
    Array.from({ length: TURNS }, (_, turn) => [
      said(`question${turn} ${'of the parser '.repeat(100)}`),
      answered(`answer${turn} ${'of the lexer '.repeat(300)}`),
    ]).flat(),
  )
  const log = home.log(ID)
  const store = home.store()
  await store.reindex({ signal: AbortSignal.abort() })
  using db = new DatabaseSync((await store.path())!, { readOnly: true })
  const indexed = () =>
    Number(db.prepare('SELECT sum(offset) AS bytes FROM reprise_cursors').get()?.bytes ?? 0)
  assert.equal(indexed(), 0)

  store.follower.changed(ID)
  const gently = store.follower.settled({ gently: true })
  while (indexed() === 0) await nextRound()
  for (let step = 0; step < STEPS; step++) await stat(log)
  const { size } = statSync(log)
  assert.ok(indexed() < size, `the log was indexed before ${STEPS} short steps were done`)

  await store.follower.settled()
  await gently
  assert.equal(indexed(), size)
  const { hits } = await store.search({ query: `answer${TURNS - 1}` })
  assert.equal(hits.length, 1)
})
