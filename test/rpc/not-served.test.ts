/** The document names every method of the SDK that is not served, and none that is. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { methods } from '../../src/surfaces/rpc/methods.ts'

test('the methods that are not served are those that the document lists', () => {
  const sdk = dirname(createRequire(import.meta.url).resolve('@github/copilot-sdk'))
  const calls = readFileSync(join(sdk, '../generated/rpc.js'), 'utf8')
  const known = [...calls.matchAll(/sendRequest\("([\w.]+)"/g)].map(([, name = '']) => name)
  assert.ok(known.length > 300)
  const absent = [...new Set(known)].filter((name) => methods[name] === undefined)
  const text = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8')
  const [, section = ''] = /## What is not served\n([^]*?)\n\nPlugins come/.exec(text) ?? []
  const named = [...section.matchAll(/`([a-z]\w*(?:\.\w+)*(?:\.\*)?)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'onAutoModeSwitchRequest')
  const isNamed = (name: string) =>
    named.some((each) => (each.endsWith('.*') ? name.startsWith(each.slice(0, -1)) : name === each))
  assert.deepEqual(
    absent.filter((name) => !isNamed(name)),
    [],
  )
  const served = Object.keys(methods)
  assert.deepEqual(served.filter(isNamed), [])
})
