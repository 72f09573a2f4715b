/** The message in the person's own editor ($VISUAL, $EDITOR, else vi): what is saved there comes back. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Undefined when it ended with a failure: then the text stays as it is. */
export async function editOutside(
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
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
    return code === 0 ? (await readFile(file, 'utf8')).replace(/\n$/, '') : undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
