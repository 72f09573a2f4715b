/**
 * Puts a text on the clipboard by a program of this machine: tmux keeps the sequence that asks the terminal for it to
 * itself, and some terminals do not know it.
 */
import { spawn } from 'node:child_process'

type Program = readonly [program: string, ...args: readonly string[]]

/** False when none of them did: then the terminal is asked. */
export async function copyOutside(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  for (const each of programsFor(env)) if (await hands(text, each, env)) return true
  return false
}

function programsFor(env: NodeJS.ProcessEnv): readonly Program[] {
  const has = (name: string) => (env[name] ?? '') !== ''
  // With -w it goes on to the clipboard of the terminal around it; older ones keep it.
  if (has('TMUX'))
    return [
      ['tmux', 'load-buffer', '-w', '-'],
      ['tmux', 'load-buffer', '-'],
    ]
  // From afar the clipboard of this machine is not that of the user.
  if (has('SSH_CONNECTION') || has('SSH_TTY')) return []
  return [
    ...(has('WAYLAND_DISPLAY') ? [['wl-copy'] as const] : []),
    ...(has('DISPLAY')
      ? [['xclip', '-selection', 'clipboard'] as const, ['xsel', '-ib'] as const]
      : []),
    ...(process.platform === 'darwin' ? [['pbcopy'] as const] : []),
  ]
}

const LONGEST_MS = 3000

/** Those that keep the clipboard live on behind it, so only the end of the first process is waited for. */
function hands(text: string, [program, ...args]: Program, env: NodeJS.ProcessEnv) {
  const stdio = ['pipe', 'ignore', 'ignore'] as const
  const child = spawn(program, args, { stdio: [...stdio], env, timeout: LONGEST_MS })
  child.stdin.on('error', () => {}) // told by how it ends
  child.stdin.end(text)
  return new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
