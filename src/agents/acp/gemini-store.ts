/**
 * Gemini CLI's own sessions: a file each, named by a minute and the first digits of its id, in which later records change
 * what earlier ones said. To load a session it begins another file under such a name, and leaves it empty; within the
 * same minute that clears the session, and at its next start it removes the empty file with all that have these digits.
 * So what it has is not loaded but copied, into a file whose name has other digits than its id: that one stays.
 */
import { randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fieldsOf, isFields, listIn, textIn, type Fields } from '../../lib/fields.ts'
import {
  NOT_AS_EXPECTED,
  copying,
  promptsKept,
  putAside,
  type OwnStore,
  type StorePlace,
} from './own-store.ts'

export const geminiStore: OwnStore = {
  async doubt(place) {
    const { file } = (await holderOf(place)) ?? {}
    return file?.endsWith(`-${digitsOf(place.sessionId)}.jsonl`)
      ? 'it would clear the session that it loads'
      : undefined
  },
  copy: (place, prompts) =>
    copying(async () => {
      const { file, head, messages } = (await holderOf(place)) ?? {}
      const asked = messages?.flatMap((message, at) => (isPrompt(message) ? [at] : [])) ?? []
      const count = promptsKept(asked.length, prompts)
      if (file === undefined || count === undefined) return NOT_AS_EXPECTED
      const id: string = randomUUID()
      const kept = messages?.slice(0, asked[count] ?? messages.length) ?? []
      const lines = [{ ...head, sessionId: id }, ...kept].map((each) => JSON.stringify(each))
      const minute = new Date().toISOString().slice(0, 16).replace(':', '-')
      await putAside(dirname(file), `session-${minute}-${digitsOf(randomUUID())}.jsonl`, lines)
      return id
    }),
}

const digitsOf = (id: string): string => id.slice(0, 8)

type Told = { readonly head: Fields; readonly messages: readonly Fields[] }

/** The file that has what was said in a session: of those that it began for it, the one that is not empty. */
async function holderOf({
  env,
  sessionId,
}: StorePlace): Promise<(Told & { readonly file: string }) | undefined> {
  const root = join(env['GEMINI_CLI_HOME'] || (env['HOME'] ?? homedir()), '.gemini/tmp')
  for (const project of await readdir(root).catch((): string[] => [])) {
    const folder = join(root, project, 'chats')
    const names = await readdir(folder).catch((): string[] => []) // a project without a session
    for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
      const file = join(folder, name)
      const text = await readFile(file, 'utf8').catch(() => '') // it went meanwhile
      if (!text.includes(`"${sessionId}"`)) continue
      const all = told(text)
      if (textIn(all.head, 'sessionId') === sessionId && all.messages.some(isPrompt))
        return { file, ...all }
    }
  }
  return undefined
}

/** What its records come to. */
function told(text: string): Told {
  let head: Fields = {}
  let messages: Fields[] = []
  for (const line of text.split('\n')) {
    const record: unknown = line.trim() === '' ? undefined : JSON.parse(line)
    if (!isFields(record)) continue
    const changed = fieldsOf(record['$set'])
    const { id, $rewindTo: rewindTo } = record
    if ('projectHash' in record) head = record
    if (typeof changed['sessionId'] === 'string')
      head = { ...head, sessionId: changed['sessionId'] }
    if (Array.isArray(changed['messages'])) messages = [...listIn(changed, 'messages')]
    if (rewindTo !== undefined)
      messages = messages.slice(
        0,
        Math.max(
          0,
          messages.findIndex((each) => each['id'] === rewindTo),
        ),
      )
    if (id === undefined || record['type'] === undefined) continue
    const at = messages.findIndex((each) => each['id'] === id)
    if (at === -1) messages.push(record)
    else messages[at] = record
  }
  return { head, messages }
}

/** Results of tools stand under the user's name, too, once it has compressed or restored what it knows. */
function isPrompt({ type, content }: Fields): boolean {
  const parts = typeof content === 'string' ? [{ text: content }] : listIn({ content }, 'content')
  const text = parts
    .map((part) => (typeof part === 'string' ? part : textIn(part, 'text')))
    .join('')
  const isResult = parts.some((part) => isFields(part) && 'functionResponse' in part)
  return type === 'user' && !isResult && !/^\s*<(?:session|hook)_context>/.test(text)
}
