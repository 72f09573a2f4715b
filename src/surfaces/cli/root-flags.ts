/** Which of the program's own options go together. What does not is refused before anything is opened or changed. */
import type { EngineError } from '../../engine/errors.ts'
import { usage, type Given } from './command.ts'
import { specOf } from './option.ts'
import { servingOptions } from './server-options.ts'

/** In the order in which they decide which session it is. */
export function refuseConflicts(given: Given): void {
  for (const [flag, others, why] of CONFLICTS) {
    const other = isGiven(given, flag) ? others.find((each) => isGiven(given, each)) : undefined
    if (other !== undefined)
      throw usage(`${flag} and ${other} do not go together: ${why} Nothing was started.`)
  }
  const serving = SERVING.find((flag) => isGiven(given, flag))
  if (serving !== undefined)
    throw usage(
      `${serving} is for a server. Give --server, --headless, --ui-server or --acp with it.`,
    )
  const isServer = SERVERS.some(([flag]) => isGiven(given, flag))
  if (given.optional('stream') === true && !given.flag('json') && !isServer)
    throw usage('--stream adds notices to --json. Give both.')
}

const CONFLICTS: readonly (readonly [string, readonly string[], string])[] = [
  [
    '--cloud',
    ['--connect', '--continue', '--resume', '--name', '--prompt', '--interactive'],
    'it starts a session elsewhere.',
  ],
  ['--connect', ['--continue', '--resume', '--name'], 'it attaches to a session elsewhere.'],
  ['--resume', ['--continue'], 'both choose a session. Give one of them.'],
  [
    '--name',
    ['--resume', '--continue'],
    'it names a new session. "reprise sessions rename" renames an old one.',
  ],
  ['--prompt', ['--interactive'], 'one ends with the answer, the other opens the terminal.'],
]

type Server = 'rpc' | 'web' | 'acp'

const SERVERS = [
  ['--server', 'rpc'],
  ['--headless', 'rpc'],
  ['--ui-server', 'web'],
  ['--acp', 'acp'],
] as const satisfies readonly (readonly [string, Server])[]

/** Flags that every launch accepts; they mean nothing apart from a server. */
const ANYWHERE: ReadonlySet<string> = new Set(['--no-auto-login'])

const SERVING = servingOptions
  .map(([flags]) => flags.split(' ')[0] ?? '')
  .filter((flag) => !ANYWHERE.has(flag) && !SERVERS.some(([server]) => server === flag))

/** Which server the options ask for, if any. */
export function serverIn(given: Given): Server | undefined {
  const [first, ...others] = SERVERS.filter(([flag]) => isGiven(given, flag))
  if (first === undefined) return undefined
  const [flag, kind] = first
  const other = others.find(([, another]) => another !== kind)
  if (other !== undefined)
    throw refusal(flag, other[0], 'They are two servers; start each by itself.')
  const refused = REFUSED.find(([name, , by]) => by.includes(kind) && isGiven(given, name))
  if (refused !== undefined) throw refusal(flag, refused[0], refused[1])
  if (isGiven(given, '--connect') && isGiven(given, '--resume'))
    throw refusal(
      '--connect',
      '--resume',
      'One is a session elsewhere, the other one of this home.',
    )
  return kind
}

const ALL: readonly Server[] = ['rpc', 'web', 'acp']
const CHOOSES = 'Its clients say which session they want.'
const SENDS = 'Its clients send the messages.'
const PERSON = 'It is for a person at a terminal.'

/** A server has nobody to choose a session or to read an answer. */
const REFUSED: readonly (readonly [string, string, readonly Server[]])[] = [
  ['--prompt', SENDS, ALL],
  ['--interactive', SENDS, ALL],
  ['--wait', PERSON, ALL],
  ['--resume', 'The page opens sessions by their links.', ['web']],
  ['--resume', CHOOSES, ['acp']],
  ['--cloud', 'Its clients start sessions elsewhere by asking for them.', ALL],
  ['--connect', 'Mission Control has a page of its own.', ['web']],
  ['--session-idle-timeout', 'It belongs to --server and --headless.', ['web', 'acp']],
  ['--auth-token-env', 'It belongs to --server and --headless.', ['web', 'acp']],
  ['--host', 'It listens on the loopback alone.', ['acp']],
  ['--stdio', 'A page is served over HTTP.', ['web']],
  ['--no-open', 'It belongs to --ui-server.', ['rpc', 'acp']],
]

const refusal = (server: string, flag: string, why: string): EngineError =>
  usage(`${server} and ${flag} do not go together. ${why} Nothing was started.`)

/** What only a single message has a use for, and what a server's clients say instead: named, where there is neither. */
export function unusedHere(given: Given): readonly string[] {
  const isServer = SERVERS.some(([flag]) => isGiven(given, flag))
  const unused = [
    ...(isServer || given.has('interactive') ? ['--silent', '--share', '--attachment'] : []),
    ...(isServer ? ['--continue', '--name', '--plain', '--stream'] : []),
  ]
  return unused.filter((flag) => isGiven(given, flag))
}

const isGiven = (given: Given, flag: string) => given.has(specOf([flag, '']).name)
