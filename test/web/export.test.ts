/** `reprise export`: to a file of the owner's alone, or to stdout. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { runExport } from '../../src/wiring/export-session.ts'
import { converse, openHome } from '../support/engine.ts'

test('a session is written as one redacted file, found by the beginning of its id', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create({ name: 'a talk' })
  const secret = `ghp_${'x7Kq2LmZ9vTn4RbW1c'}${'Yd8HsJ5gFp3QeA6uXi'}`
  await converse(engine, id, { prompt: `<b>bold</b> ${secret}` })
  await (await engine.open(id)).close()
  const run = async (...argv: string[]) => {
    const stdout = new PassThrough()
    const printed = text(stdout)
    const code = await runExport({ argv: [...argv, '--home', home.path], env: {}, stdout })
    stdout.end()
    return { code, printed: await printed }
  }
  const file = join(home.path, 'talk.html')
  assert.deepEqual(await run(id.slice(0, 8), '--html', '-o', file), { code: 0, printed: '' })
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const html = readFileSync(file, 'utf8')
  assert.match(html, /<title>a talk<\/title>/)
  assert.match(html, /&lt;b&gt;bold&lt;\/b&gt;/)
  assert.match((await run('@latest', '--markdown')).printed, /bold/)
  const json = (await run(id, '--json')).printed
  assert.equal(JSON.parse(json).session.id, id)
  for (const each of [html, json]) assert.ok(!each.includes(secret))
  await assert.rejects(run('nothing-like-it'), { code: 'not_found' })
  await assert.rejects(run(id, '--html', '--json'), { code: 'invalid' })
})
