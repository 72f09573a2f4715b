/** What went wrong with an agent, in words that help the person who reads them. */
import type { CommandLine } from './agent-process.ts'
import { RpcFailure } from '../../lib/json-rpc/failure.ts'
import { AUTH_REQUIRED } from './connection.ts'
import { Unsent } from '../../engine/errors.ts'
import type { RunningAgent } from './running-agent.ts'
import { textIn } from '../../lib/fields.ts'

export function explain(name: string, { about }: RunningAgent, error: unknown): Error {
  if (!(error instanceof RpcFailure))
    return error instanceof Error ? error : new Error(String(error))
  if (error.code !== AUTH_REQUIRED) {
    return new Error(`${name} failed: ${error.message} (${error.code})${detail(error.data)}`, {
      cause: error,
    })
  }
  const ways = about.authMethods.map((method) => {
    const told = textIn(method, 'description')
    return `${textIn(method, 'name') ?? 'a way of its own'}${told === undefined ? '' : ` (${told})`}`
  })
  const hint = ways.length === 0 ? '' : ` It offers: ${ways.join('; ')}.`
  return new Error(
    `${name} wants you to log in first: /login in the terminal, or with its own program.${hint} Then send the message again.`,
    {
      cause: error,
    },
  )
}

export function cannotStart(
  agent: { readonly name: string; readonly line: CommandLine; readonly package?: string },
  error: unknown,
): Error {
  const { name, line } = agent
  const { message, cause } = error as Error
  if ((cause as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') {
    const told = /[.!?]$/.test(message) ? message : `${message}.`
    return new Unsent(`${name} could not be started. ${told} Nothing was sent.`, { cause: error })
  }
  const hint = agent.package === undefined ? '' : ` Install: npm i -g ${agent.package}.`
  return new Unsent(
    `${name} is not installed: "${line.command}" was not found.${hint} Nothing was sent.`,
    { cause: error },
  )
}

function detail(data: unknown): string {
  if (data === undefined || data === null) return ''
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `: ${text.slice(0, 500)}`
}
