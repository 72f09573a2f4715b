/**
 * Runs git on what others named: nothing that a repository or an address says starts a program. No hooks, no filters, no
 * submodules, no configuration but our own, no protocol but those that are allowed, and no question at a terminal.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { EngineError } from '../../engine/errors.ts'
import { defined } from '../../lib/defined.ts'

const exec = promisify(execFile)

export type GitOptions = {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly signal?: AbortSignal
  /** Settings on top of our own. */
  readonly settings?: readonly string[]
  /** In the person's own work tree, with their own settings and filters; hooks stay off. */
  readonly isOwn?: boolean
  /** Repositories of this machine may be read, too. */
  readonly mayBeLocal?: boolean
}

const MOST_OUTPUT = 64 * 1024 * 1024

export async function git(args: readonly string[], options: GitOptions): Promise<string> {
  const { cwd, env = {}, input, signal, mayBeLocal = false, isOwn = false } = options
  const settings = [
    ...guards(mayBeLocal),
    ...(isOwn ? [] : NO_FILTERS),
    ...(options.settings ?? []),
  ]
  const child = exec('git', [...settings.flatMap((each) => ['-c', each]), ...args], {
    cwd,
    maxBuffer: MOST_OUTPUT,
    env: { ...kept(process.env), ...QUIET, ...(!isOwn && NO_OTHER), ...env },
    ...defined({ signal }),
  })
  child.child.stdin?.on('error', () => {}) // it ended before it had read all; its own failure is told
  child.child.stdin?.end(input ?? '')
  try {
    return (await child).stdout
  } catch (cause) {
    const said = String((cause as { stderr?: unknown }).stderr ?? '').trim()
    const lines = said === '' ? [String(cause)] : said.split('\n')
    // Advice for people follows what is the matter.
    const why = lines.find((line) => line.startsWith('fatal: ')) ?? lines.at(-1)
    throw new EngineError('invalid', `git ${args[0] ?? ''}: ${why}`, { cause })
  }
}

const guards = (mayBeLocal: boolean): readonly string[] => [
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.ssh.allow=always',
  `protocol.file.allow=${mayBeLocal ? 'always' : 'never'}`,
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.symlinks=true',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'http.followRedirects=false',
  'submodule.recurse=false',
  'diff.noprefix=false',
  'diff.mnemonicPrefix=false',
  'user.name=Reprise',
  'user.email=reprise@localhost',
  'commit.gpgSign=false',
  'safe.directory=*',
]

const QUIET = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
}

const NO_FILTERS = [
  'filter.lfs.process=',
  'filter.lfs.smudge=',
  'filter.lfs.clean=',
  'filter.lfs.required=false',
]

const NO_OTHER = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_LFS_SKIP_SMUDGE: '1',
}

/** What others may have set for git itself does not count. */
const kept = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
