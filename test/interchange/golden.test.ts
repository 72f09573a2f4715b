/**
 * Files that genuine agents wrote, imported: what comes of them, event by event, and the report. `--update` writes the
 * expectations anew; the inputs are never edited. test/interchange/making says how they were made; those of agents that
 * could not be run here are made from their documents, in documents.test.ts.
 */
import assert from 'node:assert/strict'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { AgentName } from '../../src/importers/convert/port.ts'
import { importAll } from '../../src/importers/import-all.ts'
import type { Came } from '../../src/importers/import.ts'
import { projectModelContext } from '../../src/state/context-folder.ts'
import { validateModelContext } from '../support/validate-context.ts'
import { eventsOf, openHome } from '../support/engine.ts'
import { withstands } from './damage.ts'

const GOLDEN = fileURLToPath(new URL('golden', import.meta.url))
const INSIDE: Readonly<Record<string, string>> = {
  claude: 'projects',
  gemini: 'tmp',
  qwen: 'projects',
  pi: 'sessions',
}

/** What each of them has in it, so that a reader that drops something is found out. */
const HAS: Readonly<Record<string, readonly string[]>> = {
  claude: ['thinking', 'images', 'sub-agents', 'compactions', 'rewinds', 'diffs', 'branch'],
  codex: ['thinking', 'images'],
  copilot: ['thinking', 'images', 'sub-agents', 'compactions', 'branch'],
  gemini: ['thinking', 'images', 'diffs'],
  qwen: ['thinking', 'sub-agents', 'diffs'],
  opencode: ['thinking', 'images', 'sub-agents', 'diffs'],
  pi: ['thinking', 'images', 'compactions', 'diffs'],
}

/** What is known of the folder only where it is there. */
const OF_THIS_MACHINE = /,"(?:gitRoot|repository|hostType|repositoryHost)":"[^"]*"/g

const isUpdating = process.argv.includes('--update')

for (const name of await readdir(GOLDEN)) {
  const agent = name.split('-')[0] as AgentName
  const folder = join(GOLDEN, name)
  test(`${name}: tools stay tools, nothing is lost, and it is the same each time`, async () => {
    await using home = await openHome()
    const engine = home.engine()
    const run = async (again: boolean): Promise<Came[]> => {
      const all: Came[] = []
      await importAll(engine, {
        agents: [agent],
        around: { env: {}, home: '/nowhere', root: join(folder, INSIDE[agent] ?? '') },
        again,
        now: () => new Date(),
        onCame: (came) => void all.push(came),
      })
      return all
    }
    const all = await run(false)
    const told: string[] = []
    for (const { outcome, sessions, report, why } of all) {
      assert.equal(outcome, 'imported', why)
      assert.ok(report !== undefined)
      const hasLost = Object.values(report.kinds).some(({ lost }) => lost > 0)
      assert.ok(!hasLost, JSON.stringify(report))
      assert.deepEqual([report.unknown, report.damaged], [{}, []])
      for (const kind of ['prompts', 'answers', 'tool calls', 'results', ...(HAS[agent] ?? [])])
        assert.ok((report.kinds[kind as 'prompts']?.kept ?? 0) > 0, `no ${kind}`)
      for (const id of sessions) {
        const events = await eventsOf(engine, id)
        told.push(
          `# ${id}`,
          ...events.map(({ type, data, agentId }) => JSON.stringify({ type, agentId, data })),
        )
        assert.deepEqual(
          validateModelContext(
            projectModelContext(events.map((event) => ({ event, start: 0, end: 0 }))),
          ),
          [],
        )
      }
    }
    const expected = join(folder, 'expected.jsonl')
    const text = `${told.join('\n')}\n`.replaceAll(OF_THIS_MACHINE, '')
    if (isUpdating) await writeFile(expected, text)
    else assert.equal(text, await readFile(expected, 'utf8'))
    for (const { outcome } of await run(true)) assert.equal(outcome, 'unchanged')
  })

  test(`${name}: damaged in any way, it is named or comes in valid`, () =>
    withstands(agent, join(folder, INSIDE[agent] ?? '')))
}
