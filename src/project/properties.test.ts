import assert from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { sampleProject, treeOf } from '../../test/support/sample-project.ts'

const names = [
  'a',
  'b.txt',
  '-rf',
  'new\nline',
  'ü 🙂"\\',
  'd',
  'd/x',
  'd/y',
  'd/e',
  'd/e/z',
  'f/g/h',
]
const path = fc.constantFrom(...names)
const mode = fc.constantFrom(0o644, 0o600, 0o755, 0o400)

const content = fc.oneof(
  fc.constantFrom('', 'one\n', 'one\ntwo\n', 'three'),
  fc.uint8Array({ maxLength: 20 }),
)

type Deed = (root: string) => void

/** What a tool or a shell might do; what the system refuses does not happen. */
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.tuple(path, content).map(([at, bytes]): Deed => (root) => {
    mkdirSync(dirname(join(root, at)), { recursive: true })
    writeFileSync(join(root, at), bytes)
  }),
  path.map(
    (at): Deed =>
      (root) =>
        rmSync(join(root, at), { recursive: true }),
  ),
  fc.tuple(path, path).map(
    ([from, to]): Deed =>
      (root) =>
        renameSync(join(root, from), join(root, to)),
  ),
  fc.tuple(path, mode).map(([at, bits]): Deed => (root) => {
    const isFolder = lstatSync(join(root, at)).isDirectory()
    if (!lstatSync(join(root, at)).isSymbolicLink()) {
      chmodSync(join(root, at), isFolder ? bits | 0o500 : bits)
    }
  }),
  fc.tuple(path, fc.constantFrom('a', '..', '/etc', 'nowhere')).map(
    ([at, to]): Deed =>
      (root) =>
        symlinkSync(to, join(root, at)),
  ),
  path.map(
    (at): Deed =>
      (root) =>
        mkdirSync(join(root, at), { recursive: true }),
  ),
)

type Move =
  | { readonly kind: 'call'; readonly deeds: readonly Deed[] }
  | { readonly kind: 'rewind'; readonly to: number }
  | { readonly kind: 'redo' }
  | { readonly kind: 'reopen' }

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .array(deed, { minLength: 1, maxLength: 5 })
      .map((deeds): Move => ({ kind: 'call', deeds })),
  },
  { weight: 3, arbitrary: fc.nat().map((to): Move => ({ kind: 'rewind', to })) },
  { weight: 3, arbitrary: fc.constant<Move>({ kind: 'redo' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: 'reopen' }) },
)

const attempt = (work: () => void) => {
  try {
    work()
  } catch {
    // Refused by the system: nothing happened, which is a case like any other.
  }
}

test('any sequence of changes, rewinds and redos returns the tree to exactly what it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { maxLength: 6 }),
      fc.array(move, { minLength: 2, maxLength: 12 }),
      async (start, moves) => {
        using project = sampleProject()
        const { root } = project
        for (const each of start) attempt(() => each(root))
        let travel = await project.open()
        /** The tree at every position of the journal, and before every rewind that can still be redone. */
        const trees = [treeOf(root)]
        let undone: Record<string, string>[] = []
        for (const [index, step] of moves.entries()) {
          const before = treeOf(root)
          const length = travel.position
          if (step.kind === 'reopen') travel = await project.open()
          if (step.kind === 'call') {
            await project.call(travel, `call ${index}`, () => {
              for (const each of step.deeds) attempt(() => each(root))
            })
            if (travel.position > length) undone = []
            else assert.deepEqual(treeOf(root), before)
          }
          if (step.kind === 'rewind') {
            const position = step.to % trees.length
            const plan = await travel.planRewind({ position })
            assert.deepEqual(
              plan.items.filter(({ verdict }) => !['restore', 'already'].includes(verdict)),
              [],
            )
            const result = await travel.apply(plan)
            assert.deepEqual(
              [result.outcome, result.skippedFiles, result.error],
              ['success', [], undefined],
            )
            assert.deepEqual(treeOf(root), trees[position])
            if (travel.position > length) undone.push(before)
          }
          if (step.kind === 'redo') {
            const result = await travel.redo()
            const expected = undone.pop()
            assert.equal(result?.outcome, expected && 'success')
            assert.deepEqual(treeOf(root), expected ?? before)
          }
          while (trees.length <= travel.position) trees.push(treeOf(root))
        }
        assert.deepEqual(
          readdirSync(root).filter((name) => name.startsWith('.reprise')),
          [],
        )
      },
    ),
    { numRuns: 60 },
  )
})
