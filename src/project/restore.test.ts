import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  SESSION_DIR,
  sampleProject,
  treeOf,
  type SampleProject,
} from '../../test/support/sample-project.ts'

/** Every kind of step: files that come, go and change, folders too, modes, links, a folder for a file and back. */
async function changedProject(): Promise<SampleProject> {
  const project = sampleProject({
    edited: '1\n',
    'deleted/deep/file': '1\n',
    turned: '1\n',
    'into/file': '1\n',
    run: '1\n',
  })
  const at = (path: string) => join(project.root, path)
  symlinkSync('edited', at('link'))
  const travel = await project.open()
  await project.call(travel, 'one', () => {
    project.write('edited', '2\n')
    rmSync(at('deleted'), { recursive: true })
    project.write('created/deep/file', '2\n')
    rmSync(at('turned'))
    project.write('turned/inside', '2\n')
    rmSync(at('into'), { recursive: true })
    project.write('into', '2\n')
    chmodSync(at('run'), 0o755)
    rmSync(at('link'))
    symlinkSync('run', at('link'))
  })
  chmodSync(at('created'), 0o755)
  return project
}

const leftovers = (project: SampleProject) => [
  ...readdirSync(project.root).filter((name) => name.startsWith('.reprise')),
  ...readdirSync(join(project.home, SESSION_DIR, '.reprise/files')).filter(
    (name) => name === 'restore.json',
  ),
]

async function stepsOf(): Promise<string[]> {
  using project = await changedProject()
  const steps: string[] = []
  const travel = await project.open({ beforeStep: (step) => void steps.push(step) })
  const result = await travel.apply(await travel.planRewind({ position: 0 }))
  assert.equal(result.outcome, 'success')
  return steps
}

test('a failure at any step leaves the project as it was before, and it can be tried again', async () => {
  const steps = await stepsOf()
  assert.ok(steps.length > 20)
  for (const failing of steps.keys()) {
    using project = await changedProject()
    const before = treeOf(project.root)
    let count = 0
    const travel = await project.open({
      beforeStep: () => {
        if (count++ === failing) throw new Error('planned')
      },
    })
    const plan = await travel.planRewind({ position: 0 })
    const result = await travel.apply(plan)
    assert.deepEqual(result, {
      outcome: 'files-rolled-back',
      restoredFiles: [],
      skippedFiles: [],
      error: 'planned',
    })
    assert.deepEqual(treeOf(project.root), before, `after ${steps[failing]}`)
    assert.deepEqual(leftovers(project), [])
    assert.equal((await travel.apply(plan)).outcome, 'success')
  }
})

test('a process killed at any step leaves before or after, once the session is opened again', async () => {
  const steps = await stepsOf()
  for (const killing of steps
    .keys()
    .filter((index) => index % 3 === 0 || index === steps.length - 1)) {
    using project = await changedProject()
    const before = treeOf(project.root)
    killAt(project, killing)
    const travel = await project.open()
    await travel.warm()
    assert.deepEqual(treeOf(project.root), before, `after ${steps[killing]}`)
    assert.deepEqual(leftovers(project), [])
    assert.equal((await travel.apply(await travel.planRewind({ position: 0 }))).outcome, 'success')
  }
})

function killAt(project: SampleProject, step: number): void {
  const script = `
    import { openTimeTravel } from ${JSON.stringify(new URL('time-travel.ts', import.meta.url))}
    import { openDisk } from ${JSON.stringify(new URL('../fs/disk.ts', import.meta.url))}
    let count = 0
    const travel = await openTimeTravel({
      fs: openDisk(${JSON.stringify(project.home)}),
      sessionDir: ${JSON.stringify(SESSION_DIR)},
      root: ${JSON.stringify(project.root)},
      clock: () => new Date(),
      beforeStep: () => { if (count++ === ${step}) process.kill(process.pid, 'SIGKILL') },
    })
    await travel.apply(await travel.planRewind({ position: 0 }))`
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script])
  assert.equal(child.signal, 'SIGKILL', String(child.stderr))
}

test('a link put in place of a folder during the restore is not followed', async () => {
  const steps = await stepsOf()
  for (const swapping of steps.keys()) {
    using project = sampleProject({ 'd/e/changed': '1\n', 'd/e/deleted': '1\n' })
    const outside = join(project.root, '../outside')
    mkdirSync(join(outside, 'e'), { recursive: true })
    const first = await project.open()
    await project.call(first, 'one', () => {
      project.write('d/e/changed', '2\n')
      rmSync(join(project.root, 'd/e/deleted'))
      project.write('d/e/created', '2\n')
    })
    let count = 0
    const travel = await project.open({
      beforeStep: () => {
        if (count++ !== swapping) return
        renameSync(join(project.root, 'd'), join(project.root, 'aside'))
        symlinkSync(outside, join(project.root, 'd'))
      },
    })
    const result = await travel.apply(await travel.planRewind({ position: 0 }))
    assert.deepEqual(treeOf(outside), { e: 'folder 755' })
    if (count <= swapping) {
      assert.equal(result.outcome, 'success')
      break
    }
    // Whatever could not be brought to its place is kept and named.
    if (result.outcome === 'rollback-incomplete') {
      assert.match(result.error ?? '', /d\/e\/.*\.reprise-restore-/s)
      assert.equal(existsSync(/in (.*)$/.exec(result.error ?? '')?.[1] ?? ''), true)
    }
  }
})

test('what a person puts into the way during the restore is not overwritten', async () => {
  using project = sampleProject({ deleted: '1\n', other: '1\n' })
  const first = await project.open()
  await project.call(first, 'one', () => {
    rmSync(join(project.root, 'deleted'))
    project.write('other', '2\n')
  })
  const travel = await project.open({
    beforeStep: (step) => {
      if (step === 'place deleted') project.write('deleted', 'by hand\n')
    },
  })
  const result = await travel.apply(await travel.planRewind({ position: 0 }))
  assert.equal(result.outcome, 'files-rolled-back')
  assert.deepEqual([project.read('deleted'), project.read('other')], ['by hand\n', '2\n'])
  assert.deepEqual(leftovers(project), [])
})

test('a file that is written to while it is moved away is given back', async () => {
  using project = sampleProject({ a: '1\n' })
  const first = await project.open()
  await project.call(first, 'one', () => project.write('a', '2\n'))
  const travel = await project.open({
    beforeStep: (step) => {
      if (step === 'away a') project.write('a', 'by hand\n')
    },
  })
  const result = await travel.apply(await travel.planRewind({ position: 0 }))
  assert.equal(result.outcome, 'files-rolled-back')
  assert.equal(project.read('a'), 'by hand\n')
})

test('a content that is damaged restores nothing', async () => {
  using project = sampleProject({ a: '1\n', b: '1\n' })
  await project.call(await project.open(), 'one', () => {
    project.write('a', '2\n')
    project.write('b', '2\n')
  })
  const travel = await project.open()
  const blobs = join(project.home, SESSION_DIR, '.reprise/files/blobs')
  for (const folder of readdirSync(blobs)) rmSync(join(blobs, folder), { recursive: true })
  rmSync(join(project.home, '.reprise/contents'), { recursive: true })
  const result = await travel.apply(await travel.planRewind({ position: 0 }))
  assert.equal(result.outcome, 'files-rolled-back')
  assert.deepEqual([project.read('a'), project.read('b')], ['2\n', '2\n'])
  const again = await project.open()
  const { items } = await again.planRewind({ position: 0 })
  assert.deepEqual(
    items.map(({ verdict }) => verdict),
    ['notCovered', 'notCovered'],
  )
})
