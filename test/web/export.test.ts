/** `reprise export`: to a file of the owner's alone, or to stdout. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePlace } from '../e2e/cli.ts'

test('a session is written as one redacted file, found by the beginning of its id', async () => {
  using place = makePlace()
  const secret = `ghp_${'x7Kq2LmZ9vTn4RbW1c'}${'Yd8HsJ5gFp3QeA6uXi'}`
  const id = await place.session(`<b>bold</b> ${secret}`)
  await place.run(['sessions', 'rename', id, 'a talk'])
  const run = (...args: string[]) => place.run(['export', ...args])
  const file = join(place.project, 'talk.html')
  assert.deepEqual(await run(id.slice(0, 8), '--html', '-o', 'talk.html'), {
    code: 0,
    stdout: '',
    stderr: '',
  })
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const html = readFileSync(file, 'utf8')
  assert.match(html, /<title>a talk<\/title>/)
  assert.match(html, /&lt;b&gt;bold&lt;\/b&gt;/)
  assert.match((await run('@latest', '--markdown')).stdout, /bold/)
  const json = (await run('@continue', '--json')).stdout
  assert.equal(JSON.parse(json).session.id, id)
  for (const each of [html, json]) assert.ok(!each.includes(secret))
  assert.equal((await run('nothing-like-it')).code, 3)
  assert.equal((await run(id, '--html', '--json')).code, 2)
})

test('a pipe and a link are written through, and never replaced by a file', async () => {
  using place = makePlace()
  const id = await place.session('run echo through')
  const inProject = (name: string) => join(place.project, name)
  execFileSync('mkfifo', [inProject('pipe')])
  const [ran, read] = await Promise.all([
    place.run(['export', id, '--markdown', '-o', 'pipe']),
    readFile(inProject('pipe'), 'utf8'),
  ])
  assert.equal(ran.code, 0)
  assert.match(read, /echo through/)
  assert.ok(lstatSync(inProject('pipe')).isFIFO())

  writeFileSync(inProject('real.md'), '')
  symlinkSync('real.md', inProject('link.md'))
  assert.equal((await place.run(['export', id, '--markdown', '-o', 'link.md'])).code, 0)
  assert.ok(lstatSync(inProject('link.md')).isSymbolicLink())
  assert.match(readFileSync(inProject('real.md'), 'utf8'), /echo through/)
})
