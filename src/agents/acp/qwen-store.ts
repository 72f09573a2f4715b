/** Qwen Code's own sessions: one file each, named by its id, with a record a line that names it, too. */
import { randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fieldsOf, listIn } from '../../lib/fields.ts'
import { spliceJson } from '../../lib/json-splice.ts'
import {
  NOT_AS_EXPECTED,
  copying,
  promptsKept,
  putAside,
  type OwnStore,
  type StorePlace,
} from './own-store.ts'

export const qwenStore: OwnStore = {
  copy: (place, prompts) =>
    copying(async () => {
      const file = await fileOf(place)
      if (file === undefined) return { why: 'its own log is not where it was expected' }
      const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '')
      const asked = lines.flatMap((line, at) => (isPrompt(line) ? [at] : []))
      const count = promptsKept(asked.length, prompts)
      if (count === undefined) return NOT_AS_EXPECTED
      const id: string = randomUUID()
      const kept = lines.slice(0, asked[count] ?? lines.length)
      const renamed = kept.map((line) =>
        spliceJson(line, [{ path: ['sessionId'], value: JSON.stringify(id) }]),
      )
      await putAside(dirname(file), `${id}.jsonl`, renamed)
      return id
    }),
}

/** In whichever project it is: how it names their folders is its own. */
async function fileOf({ env, sessionId }: StorePlace): Promise<string | undefined> {
  const home =
    env['QWEN_RUNTIME_DIR'] || env['QWEN_HOME'] || join(env['HOME'] ?? homedir(), '.qwen')
  for (const project of await readdir(join(home, 'projects'))) {
    const folder = join(home, 'projects', project, 'chats')
    const names = await readdir(folder).catch((): string[] => []) // a project without a session
    if (names.includes(`${sessionId}.jsonl`)) return join(folder, `${sessionId}.jsonl`)
  }
  return undefined
}

function isPrompt(line: string): boolean {
  const { type, message } = fieldsOf(JSON.parse(line))
  const parts = listIn(fieldsOf(message), 'parts')
  return type === 'user' && parts.some(({ text }) => typeof text === 'string')
}
