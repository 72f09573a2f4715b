/** The message in the person's own editor ($VISUAL, $EDITOR, else vi): what is saved there comes back. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a shell ends with that found no such program. */
const NOT_FOUND = 127

/** Throws, in words for the person, when the editor did not end well: then the text stays as it is. */
export async function editOutside(text: string, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-message-'))
  const file = join(folder, 'message.md')
  try {
    await writeFile(file, text, { mode: 0o600 })
    const program = env['VISUAL'] || env['EDITOR'] || 'vi'
    // By a shell: the variable may hold arguments.
    const child = spawn('/bin/sh', ['-c', `${program} "$1"`, 'sh', file], { stdio: 'inherit', env })
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(1))
      child.once('close', resolve)
    })
    if (code === 0) return (await readFile(file, 'utf8')).replace(/\n$/, '')
    const what = code === NOT_FOUND ? 'could not be started' : `ended with ${code ?? 'a signal'}`
    throw new Error(
      `Your editor (${program}) ${what}. The message is as it was. VISUAL or EDITOR in the environment names another one.`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
