import { test } from 'node:test'
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { parse } from 'yaml'
import { asSessionId } from './ids.ts'
import {
  parsePlainYaml,
  printWorkspaceFile,
  toWorkspaceFile,
  type WorkspaceFile,
} from './workspace-file.ts'

const id = asSessionId('8d3f1c9e-52b7-4e0a-9c44-6a1b0d2e7f35')

test('a file is written in the order of its keys, unknown ones last', () => {
  const file: WorkspaceFile = {
    unknown: { later: { a: ['b', 1, null] }, other: 'x' },
    updated_at: '2026-03-02T10:00:00.000Z',
    created_at: '2026-03-02T09:30:00.000Z',
    summary_count: 2,
    user_named: true,
    name: 'Fix: the parser',
    branch: 'main',
    cwd: '/home/ada/parser',
    id,
  }
  const text = `id: ${id}
cwd: /home/ada/parser
branch: main
name: "Fix: the parser"
user_named: true
summary_count: 2
created_at: 2026-03-02T09:30:00.000Z
updated_at: 2026-03-02T10:00:00.000Z
later: {"a": ["b", 1, null]}
other: x
`
  assert.equal(printWorkspaceFile(file), text)
  assert.deepEqual(toWorkspaceFile(parse(text)), { ok: file })
})

test('any name and directory survive writing and reading', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => name.trim() !== '')
  fc.assert(
    fc.property(text, text, fc.boolean(), (name, cwd, userNamed) => {
      const file: WorkspaceFile = { id, cwd, name, user_named: userNamed }
      const printed = printWorkspaceFile(file)
      assert.deepEqual(toWorkspaceFile(parsePlainYaml(printed) ?? {}), { ok: file })
      assert.deepEqual(toWorkspaceFile(parse(printed)), { ok: file })
    }),
  )
})

test('a summary of an early version is read as a name that nobody chose', () => {
  assert.deepEqual(toWorkspaceFile({ id, summary: 'Fix the parser' }), {
    ok: { id, name: 'Fix the parser', user_named: false },
  })
})

test('a name stands before a summary, and the summary is kept', () => {
  assert.deepEqual(toWorkspaceFile({ id, name: 'Parser', summary: 'Other', user_named: false }), {
    ok: { id, name: 'Parser', user_named: false, unknown: { summary: 'Other' } },
  })
})

test('a name without a word on who chose it was chosen by a person', () => {
  assert.deepEqual(toWorkspaceFile({ id, name: 'Parser' }), {
    ok: { id, name: 'Parser', user_named: true },
  })
})

test('empty values count as missing, names that look like numbers are names, dates are times', () => {
  const created = new Date('2026-03-02T09:30:00.000Z')
  assert.deepEqual(toWorkspaceFile({ id, branch: null, name: 2024, created_at: created }), {
    ok: { id, name: '2024', user_named: true, created_at: '2026-03-02T09:30:00.000Z' },
  })
})

test('what cannot be a workspace file says what is wrong', () => {
  assert.deepEqual(
    [
      {},
      { id: '../../etc' },
      { id, summary_count: 'two' },
      { id, user_named: 1 },
      { id, cwd: ['/'] },
    ].map((values) => toWorkspaceFile(values)),
    [
      { problem: 'id: expected a session id' },
      { problem: 'id: expected a session id' },
      { problem: 'summary_count: expected number' },
      { problem: 'user_named: expected boolean' },
      { problem: 'cwd: expected string' },
    ],
  )
})

test('a __proto__ key is kept as an unknown key and changes nothing else', () => {
  const read = toWorkspaceFile(parsePlainYaml(`id: ${id}\n__proto__: polluted\n`) ?? {})
  assert.ok('ok' in read)
  assert.equal(printWorkspaceFile(read.ok), `id: ${id}\n__proto__: polluted\n`)
})
