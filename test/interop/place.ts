/**
 * One home that both programs use, and a project that is a repository with a remote. Whatever is started in a
 * place ends with it, and its folder goes.
 */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offlineAgent } from '../../src/agents/offline/offline.ts'
import type { Agent, Turn } from '../../src/engine/agent.ts'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { startCopilot, type Copilot } from './copilot.ts'
import type { Installed } from './install.ts'
import type { FakeModel } from './model.ts'

export const REPOSITORY = 'acme/widgets'
export const BRANCH = 'main'

export interface Place extends AsyncDisposable {
  readonly home: string
  readonly project: string
  readonly model: FakeModel
  readonly program: Installed
  copilot(env?: Readonly<Record<string, string>>): Promise<Copilot>
  /** Reprise on the same home, all permissions given. The offline agent answers unless another is given. */
  reprise(agent?: Agent): Engine
  sessionDir(id: string): string
  logOf(id: string): Promise<string>
}

export async function openPlace(program: Installed, model: FakeModel): Promise<Place> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'reprise-interop-home-')))
  const home = join(base, 'home')
  const project = join(base, 'project')
  await mkdir(home)
  await makeRepository(project)
  const copilots: Copilot[] = []
  const engines: Engine[] = []
  const sessionDir = (id: string) => join(home, 'session-state', id)
  return {
    home,
    project,
    model,
    program,
    async copilot(env = {}) {
      const { baseUrl } = model
      const copilot = await startCopilot({ program, home, cwd: project, baseUrl, env })
      copilots.push(copilot)
      return copilot
    },
    reprise(agent = offlineAgent()) {
      const engine = createEngine({
        cwd: process.cwd(),
        fs: openDisk(home),
        agent,
        policy: () => ({ kind: 'allow', by: 'policy' }),
        version: 'interop',
      })
      engines.push(engine)
      return engine
    },
    sessionDir,
    logOf: (id) => readFile(join(sessionDir(id), 'events.jsonl'), 'utf8'),
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(copilots.map((copilot) => copilot[Symbol.asyncDispose]()))
      await Promise.allSettled(engines.map((engine) => engine.stop()))
      await rm(base, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Answers with one text and keeps what it was given. */
export function listeningAgent(answer: string): Agent & { readonly turns: Turn[] } {
  const turns: Turn[] = []
  return {
    name: 'listening',
    turns,
    async *run(turn) {
      turns.push(turn)
      const messageId = crypto.randomUUID()
      yield { draft: { type: 'assistant.message', data: { messageId, content: answer } } }
    },
  }
}

/** By hand, so that the checks need no git; the Copilot CLI and Reprise read the same files. */
async function makeRepository(folder: string): Promise<void> {
  const git = join(folder, '.git')
  await mkdir(join(git, 'refs/heads'), { recursive: true })
  await mkdir(join(git, 'objects'), { recursive: true })
  await writeFile(join(git, 'HEAD'), `ref: refs/heads/${BRANCH}\n`)
  const config =
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n' +
    `[remote "origin"]\n\turl = https://github.com/${REPOSITORY}.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`
  await writeFile(join(git, 'config'), config)
}
