/** The sandbox that this system has: bubblewrap on Linux, sandbox-exec on macOS. Looked for once, by starting a program in it. */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { realPath } from '../real-path.ts'
import { bubblewrapLine } from './bubblewrap.ts'
import { processSpace } from './process-space.ts'
import type { Refusal } from './refusal.ts'
import { seatbeltProfile } from './seatbelt.ts'
import { wallsOf, type Walls } from './walls.ts'

export type EnclosedStart = {
  /** The words before a program and its arguments. */
  readonly words: readonly string[]
  /** Open files that the first of these words is given, from number 3 on. */
  readonly files: readonly number[]
}

/** How one command is started inside, and what its end tells. */
export type Enclosure = {
  readonly start: EnclosedStart
  /** False where a project has more files than were looked at for what rules deny. */
  readonly isWhole: boolean
  /** What the sandbox refused the command, as far as its output tells. */
  refusal(ended: { readonly output: string; readonly exitCode: number }): Refusal | undefined
}

type SystemSandbox =
  | {
      readonly program: string
      enclose(walls: Walls, cwd: string): Promise<EnclosedStart>
    }
  /** Why there is none, and what would help: two sentences. */
  | { readonly missing: string }

const PROBE_MS = 10_000

let found: Promise<SystemSandbox> | undefined

/** Asked once by each process: what is installed meanwhile counts from the next start on. */
export const systemSandbox = (): Promise<SystemSandbox> => (found ??= probe(process.env))

export async function probe(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<SystemSandbox> {
  if (platform !== 'linux' && platform !== 'darwin')
    return {
      missing: `Reprise knows no sandbox of this system (${platform}). Run it in a container.`,
    }
  const name = platform === 'linux' ? 'bwrap' : 'sandbox-exec'
  const program = await programAt(name, env)
  if (program === undefined) return { missing: `${name} is not installed. ${INSTALL[platform]}` }
  const sandbox: SystemSandbox = {
    program,
    async enclose(walls, cwd) {
      if (platform === 'darwin')
        return { words: [program, '-p', seatbeltProfile(walls)], files: [] }
      const space = await processSpace(program)
      const words = bubblewrapLine(program, walls, { ...self(), cwd, space })
      return { words, files: space?.files ?? [] }
    },
  }
  const folder = await realPath(tmpdir())
  const walls = wallsOf([{ path: folder, access: 'writable', isFolder: true }], { network: true })
  const [first = '', ...rest] =
    platform === 'darwin'
      ? [program, '-p', seatbeltProfile(walls)]
      : bubblewrapLine(program, walls, { ...self(), cwd: folder })
  try {
    await promisify(execFile)(first, [...rest, '/bin/sh', '-c', ':'], { timeout: PROBE_MS, env })
    return sandbox
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string }
    const said = (stderr.trim() || message).split('\n', 1)[0] ?? ''
    return { missing: `${name} cannot start a program here (${said}). ${FORBIDDEN[platform]}` }
  }
}

const self = () => ({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 })

const INSTALL = {
  linux: 'Install it: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap.',
  darwin: 'It is a part of macOS: see whether /usr/bin is in PATH.',
} as const

const FORBIDDEN = {
  linux:
    'Containers and some systems forbid user namespaces: allow them (kernel.apparmor_restrict_unprivileged_userns=0, or --security-opt seccomp=unconfined for the container), or take the container for the sandbox.',
  darwin: 'A program that is in a sandbox itself cannot start another.',
} as const

/** Of the system before that of PATH; never one of a folder that is named from the working directory. */
async function programAt(
  name: string,
  { PATH = '' }: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const folder of ['/usr/bin', '/bin', '/usr/local/bin', ...PATH.split(':')]) {
    if (!isAbsolute(folder)) continue
    const path = join(folder, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false, // the next folder may have it
    )
    if (isThere) return path
  }
  return undefined
}
