/** Which server the words ask for, if any. A server has nobody to choose a session or to read an answer, so flags for that are refused. */
import { EngineError } from '../engine/errors.ts'

export type Served = {
  readonly kind: 'rpc' | 'web'
  /** What it reads itself. */
  readonly argv: readonly string[]
}

const KINDS: Readonly<Record<string, Served['kind']>> = {
  '--server': 'rpc',
  '--headless': 'rpc',
  '--ui-server': 'web',
}

/** What follows one of these is its value, whatever it looks like. */
const TAKES_VALUE: ReadonlySet<string> = new Set(['-p', '--prompt', '-n', '--name'])

const CHOOSES = 'Its clients say which session they want.'
const PERSON = 'It is for a person at a terminal.'

const REFUSED: Readonly<Record<string, string>> = {
  '--continue': CHOOSES,
  '--name': CHOOSES,
  '-n': CHOOSES,
  '--prompt': 'Its clients send the messages.',
  '-p': 'Its clients send the messages.',
  '--plain': PERSON,
  '--stream': PERSON,
  '--wait': PERSON,
  '--connect': 'It needs a Mission Control, and none is configured.',
  '--cloud': 'It needs a Mission Control, and none is configured.',
}

/** The page names its sessions itself. */
const REFUSED_BY_PAGE: Readonly<Record<string, string>> = {
  '--resume': 'The page opens sessions by their links.',
  '--session-idle-timeout': 'It belongs to --server and --headless.',
  '--stdio': 'It belongs to --server and --headless.',
}

export function whichServer(argv: readonly string[]): Served | undefined {
  const flags = argv.filter((_, at) => !TAKES_VALUE.has(argv[at - 1] ?? ''))
  const asked = flags.filter((word) => Object.hasOwn(KINDS, word))
  const [first = ''] = asked
  const kind = KINDS[first]
  if (kind === undefined) return undefined
  const other = asked.find((word) => KINDS[word] !== kind)
  if (other !== undefined)
    throw refusal(first, other, 'They are two servers; start each by itself.')
  const table = kind === 'web' ? { ...REFUSED, ...REFUSED_BY_PAGE } : REFUSED
  for (const word of flags) {
    const [name = ''] = word.split('=', 1)
    const why = Object.hasOwn(table, name) ? table[name] : undefined
    if (why !== undefined) throw refusal(first, name, why)
  }
  return { kind, argv: kind === 'web' ? argv.filter((word) => word !== first) : argv }
}

const refusal = (server: string, flag: string, why: string): EngineError =>
  new EngineError(
    'invalid',
    `${server} and ${flag} do not go together. ${why} Nothing was started.`,
  )
