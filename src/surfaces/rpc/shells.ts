/**
 * Commands that a client has run beside the conversation: nothing of them is recorded. The client that asked is told
 * their output (`shell.output`) and their end (`shell.exit`); they end with it, and with the session.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { childEnvironment } from '../../lib/child-environment.ts'
import type { Client } from './client.ts'

type ShellSignal = 'SIGTERM' | 'SIGKILL' | 'SIGINT'

export interface Shells {
  exec(client: Client, wish: ShellWish): string
  /** False when there never was such a process. */
  kill(processId: string, signal: ShellSignal): boolean
  end(): void
}

type ShellWish = {
  readonly sessionId: string
  readonly command: string
  readonly cwd: string
  readonly timeoutMs: number
}

export function createShells(): Shells {
  const all = new Map<string, ChildProcess>()

  const send = (child: ChildProcess, signal: ShellSignal) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, signal)
    } catch {
      // It ended between the look and the signal.
    }
  }
  return {
    exec({ peer }, { sessionId, command, cwd, timeoutMs }) {
      const processId = crypto.randomUUID()
      const child = spawn('/bin/sh', ['-c', command], {
        cwd,
        env: childEnvironment(),
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      all.set(processId, child)
      const late = setTimeout(() => send(child, 'SIGTERM'), timeoutMs)
      for (const stream of ['stdout', 'stderr'] as const)
        child[stream].setEncoding('utf8').on('data', (data: string) => {
          peer.notify('shell.output', { sessionId, processId, stream, data })
        })
      const exit = (exitCode: number) => {
        clearTimeout(late)
        peer.notify('shell.exit', { sessionId, processId, exitCode })
      }
      child.once('error', () => exit(127))
      child.once('close', (code) => exit(code ?? 128))
      void peer.ended.then(() => send(child, 'SIGTERM'))
      return processId
    },
    kill(processId, signal) {
      const child = all.get(processId)
      if (child === undefined) return false
      send(child, signal)
      return true
    },
    end() {
      for (const child of all.values()) send(child, 'SIGTERM')
      all.clear()
    },
  }
}
