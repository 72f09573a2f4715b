/**
 * The genuine programs, from the npm registry, in a folder of their own under the system's temporary folder.
 * A finished installation is used again; nothing of it enters the project.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PACKAGES = { '@github/copilot': '1.0.102', '@github/copilot-sdk': '1.0.14' }

export type Installed = {
  /** The program itself, not its loader: its pid is the one that its locks name. */
  readonly copilot: string
  /** The SDK's own list of events. */
  readonly eventTypes: string
  /** Where the program unpacks itself; kept with the installation. */
  readonly cache: string
}

export async function install(): Promise<Installed> {
  const folder = join(tmpdir(), `reprise-interop-${Object.values(PACKAGES).join('-')}`)
  const done = join(folder, 'complete')
  if (!existsSync(done)) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const wanted = { private: true, dependencies: PACKAGES }
    await writeFile(join(folder, 'package.json'), JSON.stringify(wanted))
    await npmInstall(folder)
    await writeFile(done, '')
  }
  const github = join(folder, 'node_modules/@github')
  return {
    copilot: await findProgram(github),
    eventTypes: join(github, 'copilot-sdk/dist/generated/session-events.d.ts'),
    cache: join(folder, 'unpacked'),
  }
}

export function npmInstall(cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 300_000,
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`npm install ended with ${code}. The registry must be reachable.`))
    })
  })
}

async function findProgram(github: string): Promise<string> {
  for (const name of await readdir(github)) {
    const program = join(github, name, process.platform === 'win32' ? 'copilot.exe' : 'copilot')
    if (name.startsWith('copilot-') && existsSync(program)) return program
  }
  throw new Error(`No Copilot CLI for ${process.platform} ${process.arch} was installed.`)
}
