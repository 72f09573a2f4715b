/** What a recipe works with. */
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SteeredModel } from './model.ts'

export type Making = {
  readonly model: SteeredModel
  readonly home: string
  readonly project: string
  readonly to: string
  readonly bin: string
}

/** A picture of one red pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

export async function repository({ project }: Making): Promise<void> {
  await writeFile(join(project, '.git/HEAD'), 'ref: refs/heads/main\n')
  await writeFile(
    join(project, '.git/config'),
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://github.com/acme/widgets.git\n',
  )
}

type Run = {
  readonly env: Readonly<Record<string, string>>
  readonly input?: string
  readonly cwd?: string
}

/** Runs a program to its end, gives what it printed, and says when it complained. */
export function run(command: string, args: readonly string[], given: Run): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: given.cwd,
      env: { PATH: process.env['PATH'], TERM: 'dumb', ...given.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 120_000,
    })
    let out = ''
    let complaints = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString('utf8')))
    child.on('error', reject)
    child.on('exit', (code) => {
      process.stdout.write(`  ${args.slice(0, 3).join(' ').slice(0, 60)} -> ${code}\n`)
      if (code !== 0) process.stdout.write(`${complaints.slice(-2000)}\n${out.slice(-2000)}\n`)
      resolve(out)
    })
    child.stdin.end(given.input ?? '')
  })
}
