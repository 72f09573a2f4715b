/** The built Mission Control as a process of its own. */
import assert from 'node:assert/strict'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as later } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PROGRAM } from '../support/program.ts'

/** Does not stand still meanwhile: a way to a standby may lead through this process. */
export async function runProgram(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  return (await promisify(execFile)(PROGRAM, words, { env })).stdout
}

/** For one who exports, watches and administers. `place`: of `control serve`, where its database is. */
export async function makeToken(place: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const scope = ['--name', 'writer', '--scope', 'export,watch,steer,admin']
  const made = await runProgram(['control', 'token', 'create', ...scope, '--json', ...place], env)
  return (JSON.parse(made) as { token: string }).token
}

/** When the machine of a session has said that it can be steered: before, what is sent to it is refused. */
export async function steerable(url: string, token: string, id: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  for (const end = Date.now() + 60_000; Date.now() < end; await later(100)) {
    const answer = await fetch(`${url}/api/sessions/${id}`, { headers })
    const { isSteerable } = (await answer.json()) as { isSteerable?: boolean }
    if (isSteerable === true) return
  }
  assert.fail(`session ${id} cannot be steered`)
}

export type ServedProgram = {
  readonly url: string
  readonly pid: number
  kill(): Promise<void>
}

export async function serveProgram(
  place: readonly string[],
  env: NodeJS.ProcessEnv,
  port: number,
): Promise<ServedProgram> {
  const child: ChildProcess = spawn(
    PROGRAM,
    ['control', 'serve', '--json', '--port', String(port), ...place],
    { stdio: ['ignore', 'pipe', 'pipe'], env },
  )
  assert.ok(child.stdout && child.stderr && child.pid !== undefined)
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said = `${said}${part.toString()}`.slice(-2000)))
  const { pid } = child
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url: string }
    return {
      url,
      pid,
      async kill() {
        assert.equal(child.exitCode, null, `the server ended by itself: ${said}`)
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error(`The server did not start. ${said}`)
}
