/** The commands over all sessions that the table of commands has: the session store, reports, and the board. */
import type { ReportKind } from '../../store/reports/report.ts'
import type { Given, Placed, Row } from './command.ts'

const wait = [
  '--wait <seconds>',
  'how long an index that is behind the logs is brought up to them first (default: 10)',
] as const

const STALE =
  'An index that is missing or behind the logs is brought up to them first. When that takes too long the answer says so, in "stale" with --json.'

const PROMPT =
  'With a model connected, --write gives it the evidence and prints what it makes of it; the sessions that it cites stand below. --prompt prints what it is given.'

const chronicle = () => import('../../commands/chronicle.ts')
const board = () => import('../../commands/board.ts')

const report = (kind: ReportKind, more: Partial<Placed> = {}): Row => ({
  name: `chronicle ${kind}`,
  of: async () => (await chronicle()).reportOf(kind),
  words: [],
  examples: [`reprise chronicle ${kind}`, `reprise chronicle ${kind} --since 7d --json`],
  notes: [PROMPT],
  view: async () => (await import('./views/report.ts')).reportView,
  ...more,
  options: [
    ['--write', 'have the agent write it from the evidence, with its sources'],
    ['--agent <agent>', 'who writes it'],
    ['--model <model>', 'the model that writes it'],
    ['--prompt', 'the evidence as a prompt for a model'],
    wait,
    ...(more.options ?? []),
  ],
})

/**
 * The shell takes quotes away. Around everything they only kept the words together for the shell; around some of several
 * they made a phrase.
 */
const queryOf = (words: readonly string[], given: Given): string =>
  words
    .map((word) =>
      words.length > 1 && /\s/.test(word) && !word.includes('"') && !given.flag('raw')
        ? `"${word}"`
        : word,
    )
    .join(' ')

const search = (name: string, examples: readonly string[]): Row => ({
  name,
  of: async () => (await import('../../commands/search.ts')).search,
  join: queryOf,
  options: [wait],
  examples,
  notes: [
    'On a terminal the key 1 to 9 goes on with the session of a hit. The exit code is 3 when nothing was found.',
    STALE,
  ],
  view: async () => (await import('./views/search.ts')).searchView,
})

const reindex = (name: string): Row => ({
  name,
  of: async () => (await import('../../commands/reindex.ts')).reindex,
  examples: [`reprise ${name}`, `reprise ${name} --force --json`, `reprise ${name} --cloud`],
  notes: [
    'In a repository, where a Mission Control was joined, a terminal asks whether sessions that have no copy there be sent; a no is remembered in control.dismissed.',
    'Stopped at any point, the next run goes on from there. The exit code is 5 when a session could not be indexed.',
  ],
  endsItself: true,
  view: async () => (await import('./views/reindex.ts')).reindexView,
})

export const homeRows: readonly Row[] = [
  {
    name: 'forget',
    of: async () => (await import('../../commands/forget.ts')).forget,
    examples: ['reprise forget - --dry-run < secret.txt', "reprise forget --pattern 'ACME-[0-9]+'"],
    notes: [
      'A mark of the same length takes its place, so logs stay valid for every program. Redaction knows it from then on.',
      'Files of projects, and those of the Copilot CLI alone, are not changed. The exit code is 3 when it stands nowhere.',
    ],
    view: async () => (await import('./views/forget.ts')).forgetView,
  },
  {
    name: 'sql',
    of: async () => (await import('../../commands/sql.ts')).sql,
    options: [['--csv', 'print the result as CSV'], wait],
    examples: [
      'reprise sql "SELECT repository, count(*) FROM sessions GROUP BY 1"',
      'reprise sql --schema',
      'reprise sql --csv - < report.sql',
    ],
    notes: [
      'One statement, 2 seconds, 500 rows, 256 KiB. A result that was cut says so, in "truncated" with --json.',
      STALE,
    ],
    view: async () => (await import('./views/sql.ts')).sqlView,
  },
  search('search', [
    'reprise search lease takeover',
    'reprise search "no space left" --role tool --since 2026-03-01',
    "reprise search 'parse*' --repo reprise --json",
  ]),
  reindex('reindex'),
  {
    name: 'features',
    of: async () => (await import('../../commands/features.ts')).features,
    examples: ['reprise features', 'reprise config set features.sessionStore false'],
    notes: ['A setting is heeded by what starts after it was set.'],
  },
  {
    name: 'servers',
    of: async () => (await import('../../commands/servers.ts')).servers,
    examples: [
      'reprise servers',
      `reprise config set mcpServers.files '{"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]}'`,
    ],
    notes: [
      'Each is started, asked for its tools and ended; one that does not answer is waited for ten seconds. In a session the same is /mcp.',
    ],
  },
  report('standup', { isDefault: true }),
  report('tips'),
  report('improve', {
    options: [['--diff', 'only the proposed change, as a unified diff']],
    examples: [
      'reprise chronicle improve',
      'reprise chronicle improve --diff > learned.diff && git apply learned.diff',
    ],
    notes: ['Nothing is changed: read the diff before you apply it.', PROMPT],
  }),
  {
    name: 'import',
    of: async () => (await import('../../commands/import.ts')).importCommand,
    words: ['path'],
    examples: [
      'reprise import --dry-run',
      'reprise import --from claude,codex --since 30d',
      'reprise import ~/backup/.codex',
      'reprise import --watch',
    ],
    notes: [
      'What others wrote is copied raw first and never changed there. It can be said again at any time: only what is new comes.',
      'See docs/import.md for what is kept of each agent.',
    ],
    view: async () => (await import('./views/import.ts')).importView,
  },
  {
    name: 'migrate',
    of: async () => (await import('../../commands/migrate.ts')).migrate,
    examples: ['reprise migrate --dry-run', 'reprise migrate --from ~/.copilot'],
    notes: [
      'Nothing there is changed. It can be said again, also after a kill: only what is new comes.',
      'A session that is open there is taken up to its last whole line; the next time brings the rest.',
    ],
    view: async () => (await import('./views/import.ts')).importView,
  },
  report('cost', {
    notes: [
      'Prices are list prices unless the configuration has its own, in dollars for a million tokens: reprise config set prices \'{"gpt-5": {"input": 1.25, "output": 10}}\'',
    ],
  }),
  search('chronicle search', ['reprise chronicle search lease takeover']),
  reindex('chronicle reindex'),
  {
    name: 'board list',
    of: async () => (await board()).board,
    examples: ['reprise board', 'reprise board list --all --json'],
    notes: [
      'When a session ends, what it learned is proposed: what you told it to do from now on, a command that worked where another failed, checks that went well, the details of its newest checkpoint. No session is told a proposal before you accept it.',
    ],
    isDefault: true,
  },
  {
    name: 'board add',
    of: async () => (await board()).boardAdd,
    words: ['title!', 'entry…'],
    examples: ['reprise board add "package manager" "Use pnpm; npm breaks the lockfile."'],
  },
  {
    name: 'board remove',
    of: async () => (await board()).boardRemove,
    examples: ['reprise board remove "package manager"'],
  },
  {
    name: 'board prune',
    of: async () => (await board()).boardPrune,
    examples: ['reprise board prune --days 90 --dry-run'],
  },
  {
    name: 'board accept',
    of: async () => (await board()).boardAccept,
    join: (words) => words,
    examples: ['reprise board accept 3f2a91c4', 'reprise board accept --all'],
  },
  {
    name: 'board dismiss',
    of: async () => (await board()).boardDismiss,
    join: (words) => words,
    examples: ['reprise board dismiss 3f2a91c4', 'reprise board dismiss --all'],
  },
  {
    name: 'board propose',
    of: async () => (await board()).boardPropose,
    on: 'session',
    examples: ['reprise board propose @latest', 'reprise board propose @latest --add'],
  },
]
