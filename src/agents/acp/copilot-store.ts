/**
 * The Copilot CLI's own sessions: one folder each, with a log that it reads whole when the session is loaded. A copy of
 * the beginning of such a log under another id is another session to it. Its own files are read and never written.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { errorText } from '../../lib/error-text.ts'
import { spliceJson } from '../../lib/json-splice.ts'

/** Keeps this many of its prompts and what was answered to them. Gives the id of the copy. */
export async function copyCopilotSession(
  env: NodeJS.ProcessEnv,
  sessionId: string,
  prompts: number,
): Promise<string | { readonly why: string }> {
  const home = env['COPILOT_HOME'] || join(env['HOME'] ?? homedir(), '.copilot')
  const folder = join(home, 'session-state')
  const id: string = randomUUID()
  const building = join(folder, `.${id}.tmp`)
  try {
    const text = await readFile(join(folder, sessionId, 'events.jsonl'), 'utf8')
    const kept = beginning(text.split('\n'), prompts, id)
    if (kept === undefined) return { why: 'its own log is not what was expected' }
    await mkdir(building, { mode: 0o700 })
    await writeFile(join(building, 'events.jsonl'), kept, { mode: 0o600 })
    await rename(building, join(folder, id))
    return id
  } catch (error) {
    await rm(building, { recursive: true, force: true }).catch(() => {}) // a folder that it does not list
    return { why: `its own log could not be copied: ${errorText(error)}` }
  }
}

function beginning(lines: readonly string[], prompts: number, id: string): string | undefined {
  const kept: string[] = []
  let asked = 0
  for (const line of lines) {
    if (line.trim() === '') continue
    const { type } = JSON.parse(line) as { readonly type?: unknown }
    if (type === 'user.message' && ++asked > prompts) break
    // How an earlier life of the session ended is no part of this one.
    if (type === 'session.shutdown' || type === 'session.resume') continue
    kept.push(type === 'session.start' ? renamed(line, id) : line)
  }
  return asked < prompts ? undefined : `${kept.join('\n')}\n`
}

const renamed = (line: string, id: string): string =>
  spliceJson(line, [{ path: ['data', 'sessionId'], value: JSON.stringify(id) }])
