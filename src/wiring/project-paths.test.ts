import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { sampleProject } from '../../test/support/sample-project.ts'
import { createPathList } from './project-paths.ts'

test('files and folders of a project are offered, what was made since too, and nothing that git ignores', async () => {
  using project = sampleProject({ 'src/deep/a.ts': '', '.gitignore': 'out/\n', 'out/b.js': '' })
  execFileSync('git', ['init', '-q', project.root])
  const list = createPathList(project.root)
  assert.deepEqual((await list('')).toSorted(), [
    '.gitignore',
    'src/',
    'src/deep/',
    'src/deep/a.ts',
  ])
  project.write('src/new.ts', '')
  const deadline = Date.now() + 30_000
  while (!(await list('new')).includes('src/new.ts') && Date.now() < deadline) await after(50)
  assert.ok((await list('new')).includes('src/new.ts'))
})

test('without git the folder is looked through, and any other place is read as it is typed', async () => {
  using project = sampleProject({ 'src/deep/a.ts': '', 'b.md': '' })
  const list = createPathList(project.root)
  assert.deepEqual((await list('')).toSorted(), ['b.md', 'src/', 'src/deep/', 'src/deep/a.ts'])
  assert.deepEqual(await list(`${project.root}/src/d`), [`${project.root}/src/deep/`])
  assert.deepEqual((await list('../')).toSorted(), ['../home/', '../project/'])
  assert.deepEqual(await list('/not/there/'), [])
})
