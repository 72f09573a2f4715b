/** The real program in a child process, with a home and a project of its own for each test. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM } from '../support/program.ts'

// Shared by the children of one test file: without it each would compile the sources anew.
const cache = mkdtempSync(join(tmpdir(), 'reprise-cli-cache-'))
process.on('exit', () => rmSync(cache, { recursive: true, force: true }))

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Given = {
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

export interface Place extends Disposable {
  readonly home: string
  readonly project: string
  run(args: readonly string[], given?: Given): Promise<Ran>
  /** The only JSON document on stdout; fails when the program did. */
  json<T>(args: readonly string[], given?: Given): Promise<T>
  start(args: readonly string[], given?: Given): ChildProcess
  /** A session with these prompts; its id. */
  session(...prompts: readonly string[]): Promise<string>
}

export function makePlace(): Place {
  const base = mkdtempSync(join(tmpdir(), 'reprise-cli-'))
  const [home, project] = [join(base, 'home'), join(base, 'project')]
  mkdirSync(project)
  const start = (args: readonly string[], { env, cwd = project }: Given = {}) =>
    spawn(PROGRAM, args, {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: base,
        XDG_CACHE_HOME: cache,
        REPRISE_HOME: home,
        REPRISE_AGENT: 'offline',
        NODE_NO_WARNINGS: '1',
        ...env,
      },
    })
  const run = (args: readonly string[], given: Given = {}) =>
    new Promise<Ran>((resolve, reject) => {
      const child = start(args, given)
      const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)]
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }))
      child.stdin?.on('error', () => {})
      child.stdin?.end(given.input ?? '')
    })
  const json = async <T>(args: readonly string[], given?: Given) => {
    const { code, stdout, stderr } = await run([...args, '--json'], given)
    if (code !== 0) throw new Error(`reprise ${args.join(' ')} exited with ${code}: ${stderr}`)
    return JSON.parse(stdout) as T
  }
  return {
    home,
    project,
    run,
    json,
    start,
    async session(...prompts) {
      const id = crypto.randomUUID()
      for (const prompt of prompts) {
        const { code, stderr } = await run(['--resume', id, '--allow-all', '-p', prompt])
        if (code !== 0) throw new Error(`The prompt failed: ${stderr}`)
      }
      return id
    },
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  }
}

function gather(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = []
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

/** The values of a stream of JSON lines. */
export const lines = <T>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
