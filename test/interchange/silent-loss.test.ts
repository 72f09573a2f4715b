/**
 * A text that a reader does not find is named in the report. In files of genuine agents each place in which a text of
 * the conversation stands is renamed, one at a time: the text comes all the same, or the report says that something
 * was not understood or lost.
 */
import assert from 'node:assert/strict'
import { cp, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { AgentName } from '../../src/importers/convert/port.ts'
import { sayLosses } from '../../src/importers/convert/fidelity-report.ts'
import { importAll } from '../../src/importers/import-all.ts'
import type { Came } from '../../src/importers/import.ts'
import { fieldsOf, isFields, textIn } from '../../src/lib/fields.ts'
import { eventsOf, openHome } from '../support/engine.ts'

const GOLDEN = fileURLToPath(new URL('golden', import.meta.url))

async function bring(root: string, agent: AgentName): Promise<{ said: string; losses: string }> {
  await using home = await openHome()
  const engine = home.engine()
  const all: Came[] = []
  await importAll(engine, {
    agents: [agent],
    around: { env: {}, home: '/nowhere', root },
    now: () => new Date(),
    onCame: (came) => void all.push(came),
  })
  const events = []
  for (const { sessions } of all)
    for (const id of sessions) events.push(...(await eventsOf(engine, id)))
  const texts = events.flatMap(({ type, data }) =>
    ['user.message', 'assistant.message'].includes(type)
      ? [textIn(fieldsOf(data), 'content') ?? '']
      : [],
  )
  const losses = all.map(
    ({ report, why }) => (report === undefined ? why : sayLosses(report)) ?? '',
  )
  return { said: texts.join('\n'), losses: losses.join('') }
}

type Place = { readonly path: readonly string[]; readonly text: string }

/** Where texts of more than a word stand. */
function placesIn(value: unknown, path: readonly string[] = []): Place[] {
  if (typeof value === 'string') return /\w \w/.test(value) ? [{ path, text: value }] : []
  const entries = Array.isArray(value)
    ? value.map((each, at) => [String(at), each] as const)
    : isFields(value)
      ? Object.entries(value)
      : []
  return entries.flatMap(([name, each]) => placesIn(each, [...path, name]))
}

/** The last name of the path gets another spelling. */
function renamed(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value))
    return value.map((each, at) => (String(at) === name ? renamed(each, rest) : each))
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).map(([key, each]) => {
      if (key !== name) return [key, each]
      return rest.length === 0 ? [`x-${key}`, each] : [key, renamed(each, rest)]
    }),
  )
}

const kindOf = (line: unknown): string => {
  const fields = fieldsOf(line)
  return `${textIn(fields, 'type')} ${textIn(fieldsOf(fields['payload']), 'type')}`
}

for (const [name, agent, inside] of [
  ['claude-2.1.197', 'claude', 'projects'],
  ['codex-0.169.0', 'codex', ''],
  ['gemini-0.61.0', 'gemini', 'tmp'],
  ['pi-0.74.2', 'pi', 'sessions'],
  ['qwen-0.15.10', 'qwen', 'projects'],
] as const) {
  test(`${agent}: a text that is not understood is named in the report`, async () => {
    await using home = await openHome()
    const root = join(home.path, 'source')
    const origin = join(GOLDEN, name, inside)
    const { said } = await bring(origin, agent)
    const silent: string[] = []
    const tried = new Set<string>()
    for (const entry of await readdir(origin, { recursive: true, withFileTypes: true })) {
      if (!entry.name.endsWith('.jsonl') || entry.name === 'expected.jsonl') continue
      const file = join(entry.parentPath, entry.name)
      const lines = (await readFile(file, 'utf8')).split('\n')
      for (const [at, line] of lines.entries()) {
        if (line === '') continue
        const value: unknown = JSON.parse(line)
        for (const { path, text } of placesIn(value)) {
          const shape = `${kindOf(value)} ${path.join('.').replace(/\d+/g, 'n')}`
          if (!said.includes(text) || tried.has(shape)) continue
          tried.add(shape)
          await cp(origin, root, { recursive: true, force: true })
          const other = lines.with(at, JSON.stringify(renamed(value, path)))
          await writeFile(file.replace(origin, root), other.join('\n'))
          const after = await bring(root, agent)
          const isLost = after.said.split(text).length < said.split(text).length
          if (isLost && after.losses === '') silent.push(shape)
        }
      }
    }
    assert.ok(tried.size > 0)
    assert.deepEqual(silent, [])
  })
}
