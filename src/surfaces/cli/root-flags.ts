/** Which of the program's own flags go together. What does not is refused before anything is opened or changed. */
import type { Cli, Given } from './command.ts'
import { usage } from './command.ts'

/** In the order in which they decide which session it is. */
export function refuseConflicts(cli: Cli, given: Given): void {
  const isGiven = (name: string) => given.optional(name) !== undefined
  for (const [flag, others, why] of CONFLICTS) {
    const other = isGiven(nameOf(flag)) ? others.find((each) => isGiven(nameOf(each))) : undefined
    if (other !== undefined)
      throw usage(`${flag} and ${other} do not go together: ${why} Nothing was started.`)
  }
  for (const flag of ['--cloud', '--connect']) {
    if (isGiven(nameOf(flag)))
      throw usage(`${flag} needs a Mission Control, and none is configured. Nothing was started.`)
  }
  const serving = SERVER_ONLY.find((flag) => isGiven(nameOf(flag)))
  if (serving !== undefined)
    throw usage(`${serving} is for a server. Give --server or --headless with it.`)
  if (given.flag('stream') && !cli.json) throw usage('--stream adds notices to --json. Give both.')
  if (given.flag('plain') && isGiven('prompt'))
    throw usage('--plain is for the terminal; with --prompt the answer is printed line by line.')
}

const CONFLICTS: readonly (readonly [string, readonly string[], string])[] = [
  [
    '--cloud',
    ['--connect', '--continue', '--resume', '--name', '--prompt'],
    'it starts a session elsewhere.',
  ],
  ['--connect', ['--continue', '--resume', '--name'], 'it attaches to a session elsewhere.'],
  ['--resume', ['--continue'], 'both choose a session. Give one of them.'],
  [
    '--name',
    ['--resume', '--continue'],
    'it names a new session. "reprise sessions rename" renames an old one.',
  ],
]

const SERVER_ONLY = [
  '--session-idle-timeout',
  '--stdio',
  '--port',
  '--host',
  '--log-level',
  '--auth-token-env',
  '--remote',
] as const

/** As the parser names it: `--log-level` is `logLevel`. */
const nameOf = (flag: string): string =>
  flag.slice(2).replace(/-(.)/g, (_, sign: string) => sign.toUpperCase())
