/** Ways to log in that an agent tells when it comes up: asked for by its protocol, or by a program in the terminal. */
import { spawn } from 'node:child_process'
import type { OpenLogins } from '../commands/command.ts'
import type { Agent } from '../engine/agent.ts'
import { EngineError } from '../engine/errors.ts'
import { agentEnvironment } from '../lib/child-environment.ts'
import { fieldsOf, textIn, type Fields } from '../lib/fields.ts'

type Program = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

type Options = {
  readonly name: string
  readonly agent: Agent
  /** The program of the agent, where it is known. */
  readonly command?: string | undefined
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Lets a program have the terminal for a while. */
  readonly outside: <T>(work: () => Promise<T>) => Promise<T>
}

export async function openLogins(options: Options): Promise<OpenLogins> {
  const { name, agent, cwd, outside } = options
  const close = async () => agent.close?.()
  const introduction = await agent.introduce?.(cwd).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const methods = introduction?.authMethods ?? []
  return {
    agent: name,
    ways: methods.map((method) => ({
      id: textIn(method, 'id') ?? '',
      name: textIn(method, 'name') ?? textIn(method, 'id') ?? '',
      about: textIn(method, 'description') ?? '',
    })),
    async take(id) {
      const method = methods.find((each) => each['id'] === id)
      const program = method && programOf(method, options)
      if (program !== undefined) return outside(() => run(program, cwd))
      await introduction?.line.ask('authenticate', { methodId: id })
    },
    [Symbol.asyncDispose]: close,
  }
}

/** Of a method that asks in a terminal: what the agent names, else the agent itself with other arguments. */
function programOf(method: Fields, { command, env }: Options): Program | undefined {
  const named = fieldsOf(fieldsOf(method['_meta'])?.['terminal-auth'])
  const isTerminal = method['type'] === 'terminal'
  const program = textIn(named, 'command') ?? (isTerminal ? command : undefined)
  if (program === undefined) return undefined
  const from = textIn(named, 'command') === undefined ? method : named
  const args = Array.isArray(from?.['args']) ? from['args'].map(String) : []
  return {
    command: program,
    args,
    env: { ...agentEnvironment(env), ...(fieldsOf(from?.['env']) as NodeJS.ProcessEnv) },
  }
}

async function run({ command, args, env }: Program, cwd: string): Promise<void> {
  const child = spawn(command, [...args], { stdio: 'inherit', cwd, env })
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(127))
    child.once('close', resolve)
  })
  if (code !== 0)
    throw new EngineError('invalid', `${command} ended with ${code}: nobody is logged in by it.`)
}
