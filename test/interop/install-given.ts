/** The programs that sessions are given to, and the Claude Agent SDK, installed as those of install.ts are. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { npmInstall } from './install.ts'

const PACKAGES = {
  '@anthropic-ai/claude-agent-sdk': '0.3.326',
  '@anthropic-ai/claude-code': '2.1.197',
  '@openai/codex': '0.169.0',
  'opencode-ai': '1.18.33',
}

/** No script runs while npm installs; these put the program of this platform in its place. */
const SETTING_UP = [
  ['@anthropic-ai/claude-code', 'install.cjs'],
  ['opencode-ai', 'postinstall.mjs'],
] as const

/** Their folder `node_modules`. $REPRISE_INTEROP_GIVEN names one that is there already. */
export async function installGiven(): Promise<string> {
  const given = process.env['REPRISE_INTEROP_GIVEN']
  if (given !== undefined) return join(given, 'node_modules')
  const folder = join(tmpdir(), `reprise-interop-given-${Object.values(PACKAGES).join('-')}`)
  const done = join(folder, 'complete')
  if (!existsSync(done)) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const wanted = { private: true, dependencies: PACKAGES }
    await writeFile(join(folder, 'package.json'), JSON.stringify(wanted))
    await npmInstall(folder)
    for (const [name, script] of SETTING_UP)
      await promisify(execFile)(process.execPath, [script], {
        cwd: join(folder, 'node_modules', name),
      })
    await writeFile(done, '')
  }
  return join(folder, 'node_modules')
}
