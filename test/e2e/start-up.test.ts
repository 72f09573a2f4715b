/** What is asked for often starts with little: no schemas, and few files. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { makePlace } from './cli.ts'

/** Tells every file that is loaded. */
const TELLS = `
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(process.env.LOADED, url + '\\n')
    return next(url, context)
  },
})`

for (const [line, most] of [
  ['--version', 3],
  ['--help', 12],
  ['sessions --help', 12],
  ['sessions list', 28],
] as const) {
  test(`${line} loads no schema and at most ${most} files`, async () => {
    using place = makePlace()
    await place.session('first')
    const folder = mkdtempSync(join(tmpdir(), 'reprise-loaded-'))
    try {
      const [hook, told] = [join(folder, 'hook.mjs'), join(folder, 'loaded')]
      writeFileSync(hook, TELLS)
      const env = { NODE_OPTIONS: `--import=${hook}`, LOADED: told }
      const { code, stderr } = await place.run(line.split(' '), { env })
      assert.equal(code, 0, stderr)
      const files = readFileSync(told, 'utf8')
        .trim()
        .split('\n')
        .map((url) => fileURLToPath(url))
      const schemas = files.filter((file) =>
        /^\/\/ node_modules\/zod\//m.test(readFileSync(file, 'utf8')),
      )
      assert.deepEqual(schemas, [])
      assert.ok(files.length <= most, `${files.length} files:\n${files.join('\n')}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
