/** The words on the command line of a server, those that the Copilot SDK starts one with among them. */
import { parseArgs } from 'node:util'
import { EngineError } from '../../engine/errors.ts'
import { defined } from '../../lib/defined.ts'
import type { LogLevel } from './parts.ts'

export type ServeFlags = {
  /** One client on standard input and output; otherwise TCP. */
  readonly stdio: boolean
  /** 0 means any that is free. */
  readonly port: number
  readonly host: string
  readonly home?: string
  readonly cwd?: string
  readonly agent?: string
  readonly model?: string
  readonly allowAll: boolean
  /** A session that is opened before anybody asks for it. */
  readonly resume?: string
  /** The name of the variable with a token for GitHub, which is of no use here and must not reach a tool. */
  readonly authTokenEnv?: string
  readonly idleTimeoutMs?: number
  /** Undefined when nothing is to be told. */
  readonly logLevel: LogLevel | undefined
}

const OPTIONS = {
  headless: { type: 'boolean' },
  server: { type: 'boolean' },
  stdio: { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  home: { type: 'string' },
  cwd: { type: 'string' },
  agent: { type: 'string' },
  model: { type: 'string' },
  resume: { type: 'string' },
  'allow-all': { type: 'boolean' },
  'log-level': { type: 'string' },
  'auth-token-env': { type: 'string' },
  'session-idle-timeout': { type: 'string' },
  'no-auto-update': { type: 'boolean' },
  'no-auto-login': { type: 'boolean' },
  remote: { type: 'boolean' },
} as const

const LOOPBACK = '127.0.0.1'

export function readFlags(argv: readonly string[]): ServeFlags {
  const { values } = parsed(argv)
  const { home, cwd, agent, model, resume, host } = values
  const authTokenEnv = values['auth-token-env']
  const idleSeconds = whole('--session-idle-timeout', values['session-idle-timeout'], 0, 2 ** 31)
  if (values.stdio === true && (values.port !== undefined || host !== undefined))
    throw wrong('--stdio serves one client by standard input; it has neither port nor host.')
  return {
    stdio: values.stdio ?? false,
    port: whole('--port', values.port, 0, 65_535) ?? 0,
    host: host ?? LOOPBACK,
    allowAll: values['allow-all'] ?? false,
    logLevel: logLevel(values['log-level']),
    ...defined({ home, cwd, agent, model, resume, authTokenEnv }),
    ...(idleSeconds !== undefined && idleSeconds > 0 && { idleTimeoutMs: idleSeconds * 1000 }),
  }
}

function parsed(argv: readonly string[]) {
  const bare = argv.findIndex((word) => word === '--resume')
  if (bare >= 0 && (argv[bare + 1] ?? '-').startsWith('-')) {
    throw wrong(
      '--resume needs a session here: a server has nobody to choose one. Give its id, or let the client resume it.',
    )
  }
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: false })
  } catch (cause) {
    throw wrong(`${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`)
  }
}

const LEVELS: Readonly<Record<string, LogLevel | undefined>> = {
  none: undefined,
  error: 'error',
  warning: 'warning',
  info: 'info',
  debug: 'debug',
  all: 'debug',
  default: 'error',
}

function logLevel(given = 'default'): LogLevel | undefined {
  if (Object.hasOwn(LEVELS, given)) return LEVELS[given]
  throw wrong(`--log-level is one of ${Object.keys(LEVELS).join(', ')}, not "${given}".`)
}

function whole(
  what: string,
  value: string | undefined,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined) return undefined
  const number = /^\d{1,10}$/.test(value) ? Number(value) : -1
  if (number >= least && number <= most) return number
  throw wrong(`${what} wants a whole number from ${least} to ${most}, not "${value}".`)
}

const wrong = (message: string) => new EngineError('invalid', message)
