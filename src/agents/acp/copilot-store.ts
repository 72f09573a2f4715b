/**
 * The Copilot CLI's own sessions: one folder each, with a log that it reads whole when the session is loaded. A copy of
 * the beginning of such a log under another id is another session to it. Its own files are read and never written.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { spliceJson } from '../../lib/json-splice.ts'
import {
  NOT_AS_EXPECTED,
  copying,
  promptsKept,
  type KeptPrompts,
  type OwnStore,
} from './own-store.ts'

export const copilotStore: OwnStore = {
  copy: ({ env, sessionId }, prompts) =>
    copying(async () => {
      const home = env['COPILOT_HOME'] || join(env['HOME'] ?? homedir(), '.copilot')
      const folder = join(home, 'session-state')
      const id: string = randomUUID()
      const building = join(folder, `.${id}.tmp`)
      const text = await readFile(join(folder, sessionId, 'events.jsonl'), 'utf8')
      const kept = beginning(text.split('\n'), prompts, id)
      if (kept === undefined) return NOT_AS_EXPECTED
      try {
        await mkdir(building, { mode: 0o700 })
        await writeFile(join(building, 'events.jsonl'), kept, { mode: 0o600 })
        await rename(building, join(folder, id))
        return id
      } catch (error) {
        await rm(building, { recursive: true, force: true }).catch(() => {}) // a folder that it does not list
        throw error
      }
    }),
}

function beginning(lines: readonly string[], prompts: KeptPrompts, id: string): string | undefined {
  const records = lines.flatMap((line) =>
    line.trim() === ''
      ? []
      : [{ line, type: (JSON.parse(line) as { readonly type?: unknown }).type }],
  )
  const asked = records.flatMap(({ type }, at) => (type === 'user.message' ? [at] : []))
  const count = promptsKept(asked.length, prompts)
  if (count === undefined) return undefined
  const kept = records
    .slice(0, asked[count] ?? records.length)
    // How an earlier life of the session ended is no part of this one.
    .filter(({ type }) => type !== 'session.shutdown' && type !== 'session.resume')
    .map(({ line, type }) => (type === 'session.start' ? renamed(line, id) : line))
  return `${kept.join('\n')}\n`
}

const renamed = (line: string, id: string): string =>
  spliceJson(line, [{ path: ['data', 'sessionId'], value: JSON.stringify(id) }])
