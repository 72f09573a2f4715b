/**
 * Where a session's shell stands between two commands: its directory and its exported variables. A command writes
 * both to a file of its own as it exits; one that does not come so far, because it was killed or became another
 * program, leaves the shell where it stood. Nothing of it outlives this process.
 */
import { constants, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kindOf } from './paths.ts'
import type { ToolContext } from './tool.ts'

type ShellState = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>> | undefined
}

interface OpenShell extends ShellState, AsyncDisposable {
  /** The command, told to leave behind where it ends. */
  wrapped(command: string): string
  /** Variables by which Bash is told the same where people see the command: it reads a file before it begins. */
  unseen(): Promise<Readonly<Record<string, string>>>
  /** Takes over what the command left and gives the directory. */
  keep(): Promise<string>
}

export interface KeptShells {
  of(context: ToolContext): Promise<ShellState>
  open(context: ToolContext): Promise<OpenShell>
}

const MAX_BYTES = 1024 * 1024
/** Every shell sets these anew. */
const OWN_TO_A_SHELL = new Set(['_', 'SHLVL', 'PWD'])

export function keptShells(): KeptShells {
  const states = new Map<string, ShellState>()

  async function of({ workspacePath, cwd }: ToolContext): Promise<ShellState> {
    const state = states.get(workspacePath)
    if (state === undefined) return { cwd, env: undefined }
    // A command may have left a directory that the next one, or another program, removed.
    return (await kindOf(state.cwd)) === 'folder' ? state : { ...state, cwd }
  }

  return {
    of,
    async open(context) {
      const state = await of(context)
      const folder = await mkdtemp(join(tmpdir(), 'reprise-shell-'))
      const file = join(folder, 'state')
      const trap = `trap '{ printf "%s\\0" "$PWD"; env -0; } >${inTrap(file)} 2>/dev/null' EXIT`
      return {
        ...state,
        wrapped: (command) => `${trap}\n${command}`,
        async unseen() {
          const before = join(folder, 'before')
          const own = state.env?.['BASH_ENV'] ?? process.env['BASH_ENV']
          const goesOn =
            own === undefined ? 'unset BASH_ENV' : `export BASH_ENV=${inQuotes(own)}\n. "$BASH_ENV"`
          await writeFile(before, `${goesOn}\n${trap}\n`)
          return { BASH_ENV: before }
        },
        async keep() {
          const left = (await readState(file)) ?? state
          states.set(context.workspacePath, left)
          return left.cwd
        },
        [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
      }
    },
  }
}

/** A path in double quotes, inside the single quotes of the trap. */
const inTrap = (path: string) => `"${path.replace(/["$`\\]/g, '\\$&').replaceAll("'", `'\\''`)}"`

const inQuotes = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

async function readState(file: string): Promise<ShellState | undefined> {
  // A shell that was killed, or ended by `exec`, left none: the next command begins where this one did.
  // The command may have put a link or a pipe there.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
  const handle = await open(file, flags).catch(() => undefined) // it left none
  if (handle === undefined) return undefined
  try {
    if ((await handle.stat()).size > MAX_BYTES) return undefined
    const [cwd, ...variables] = (await handle.readFile('utf8')).split('\0')
    const pairs = variables.flatMap((variable) => {
      const at = variable.indexOf('=')
      const name = variable.slice(0, Math.max(at, 0))
      return name === '' || OWN_TO_A_SHELL.has(name) ? [] : [[name, variable.slice(at + 1)]]
    })
    if (cwd === undefined || !cwd.startsWith('/') || pairs.length === 0) return undefined
    return { cwd, env: Object.fromEntries(pairs) }
  } finally {
    await handle.close()
  }
}
