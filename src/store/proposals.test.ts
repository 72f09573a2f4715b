/** What sessions propose for the board: once, until a person decides, and no longer than the session says it. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDisk } from '../fs/disk.ts'
import { openBoard } from './board.ts'
import { PROPOSALS } from './board-file.ts'
import type { NewEntry } from './board-rules.ts'
import { NO_PROPOSALS, parseProposals, printProposals, withProposalsOf } from './proposals.ts'

const REPO = { repository: 'octo/one' }
const AT = '2026-03-01T00:00:00.000Z'

const said = (content: string, over: Partial<NewEntry> = {}): NewEntry => ({
  ...REPO,
  src: 'person',
  name: content,
  content,
  ...over,
})

function makeHome() {
  const path = mkdtempSync(join(tmpdir(), 'reprise-proposals-'))
  const board = openBoard(openDisk(path), {
    cacheFolder: join(path, 'cache'),
    now: () => new Date(AT),
    redact: (text) => text.replace('hunter2', '***'),
  })
  return {
    board,
    file: join(path, PROPOSALS),
    names: async (scope = REPO) => (await board.proposals(scope)).map(({ name }) => name),
    idOf: async (name: string) =>
      (await board.proposals()).find((proposal) => proposal.name === name)?.id ?? '',
    [Symbol.dispose]() {
      board.close()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

test('what two sessions say is proposed once, and stays until neither says it', async () => {
  using home = makeHome()
  await home.board.propose('s1', [said('Use pnpm.'), said('Never use tabs.')])
  await home.board.propose('s2', [said('use  PNPM.', { repository: 'Octo/One' })])
  const [pnpm, tabs] = await home.board.proposals(REPO)
  assert.deepEqual([pnpm?.sessions, tabs?.sessions], [['s1', 's2'], ['s1']])
  await home.board.propose('s1', [])
  assert.deepEqual(await home.names(), ['Use pnpm.'])
  await home.board.propose('s2', [])
  assert.deepEqual(await home.names(), [])
})

test('what was accepted is on the board; that and what was dismissed is not proposed again', async () => {
  using home = makeHome()
  const both = [said('Use pnpm.'), said('Never use tabs.', { src: 'commands' })]
  await home.board.propose('s1', both)
  assert.equal(await home.board.context(REPO, 1000), undefined)
  const [added] = await home.board.accept([await home.idOf('Use pnpm.')])
  assert.deepEqual([added?.src, added?.content, added?.count], ['person', 'Use pnpm.', 1])
  await home.board.dismiss([await home.idOf('Never use tabs.')])
  await home.board.remove('Use pnpm.')
  await home.board.propose('s1', both)
  await home.board.propose('s2', both)
  assert.deepEqual([await home.board.list(), await home.board.proposals()], [[], []])
})

test('what the board says already is not proposed, whether a person or an agent put it there', async () => {
  using home = makeHome()
  await home.board.propose('s1', [said('Use pnpm.')])
  await home.board.add(said('use pnpm.', { src: 'agent', name: 'manager' }))
  assert.deepEqual(await home.names(), [])
  await home.board.propose('s2', [said('Use pnpm.')])
  assert.deepEqual(await home.names(), [])
})

test('secrets are taken out of a proposal before it is written', async () => {
  using home = makeHome()
  await home.board.propose('s1', [said('The password is hunter2.')])
  assert.equal(readFileSync(home.file, 'utf8').includes('hunter2'), false)
})

test('a session that proposes nothing new writes nothing', async () => {
  using home = makeHome()
  await home.board.propose('s1', [])
  assert.throws(() => statSync(home.file))
  await home.board.propose('s1', [said('Use pnpm.')])
  const { ino } = statSync(home.file)
  await home.board.propose('s1', [said('Use pnpm.')])
  assert.equal(statSync(home.file).ino, ino)
})

test('a file that cannot be read is set aside, and proposing begins anew', async () => {
  using home = makeHome()
  await home.board.propose('s1', [said('Use pnpm.')])
  writeFileSync(home.file, '{"version": 1, "open": [{}]')
  assert.deepEqual(await home.names(), [])
  await home.board.propose('s2', [said('Never use tabs.')])
  assert.deepEqual(await home.names(), ['Never use tabs.'])
  assert.match(readFileSync(`${home.file}.broken`, 'utf8'), /"open": \[\{\}\]/)
})

test('a session proposes the last dozen, and the list has an end: the oldest make room', () => {
  let all = NO_PROPOSALS
  for (let session = 0; session < 21; session += 1) {
    const entries = Array.from({ length: 20 }, (_, at) => said(`Rule ${session} ${at}.`))
    all = withProposalsOf(all, `s${session}`, entries, { board: [], at: AT })
    assert.deepEqual(
      withProposalsOf(all, `s${session}`, entries, { board: [], at: AT }),
      all,
      'the same again changes nothing',
    )
  }
  const { open } = all
  assert.deepEqual(
    [open.length, open[0]?.name, open.at(-1)?.name],
    [200, 'Rule 4 12.', 'Rule 20 19.'],
  )
  assert.deepEqual(parseProposals(printProposals({ open, decided: ['a'] })), {
    open,
    decided: ['a'],
  })
})
