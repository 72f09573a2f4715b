/** The commands that ask the session store, and the one that makes it. */
import type { Command } from './command.ts'
import { waitOption } from './wait-option.ts'

const STALE =
  'An index that is missing or behind the logs is brought up to them first. When that takes too long the answer says so, in "stale" with --json.'

export const storeCommands: readonly Command[] = [
  {
    name: 'sql',
    summary:
      'Asks the session store, or the database of one session, in SQL; nothing is ever changed',
    arguments: [['[query]', 'one statement; "-" reads it from stdin']],
    options: [
      ['--csv', 'print the result as CSV'],
      ['--schema', 'the tables and their columns'],
      ['--session <session>', "the session's own database instead of the store"],
      waitOption,
    ],
    examples: [
      'reprise sql "SELECT repository, count(*) FROM sessions GROUP BY 1"',
      'reprise sql --schema',
      'reprise sql --csv - < report.sql',
    ],
    notes: [
      'One statement, 2 seconds, 500 rows, 256 KiB. A result that was cut says so, in "truncated" with --json.',
      STALE,
    ],
    load: () => import('./commands/sql.ts'),
  },
  {
    name: 'search',
    summary: 'Searches everything that was said and done in all sessions',
    arguments: [['<words...>', 'all of them must occur; "a phrase" together, foo* as a beginning']],
    options: [
      ['--repo <name>', 'only sessions of this repository'],
      ['--branch <name>', 'only sessions on this branch'],
      ['--since <time>', 'only what was said since then: 24h, 7d, 2w, or a date'],
      ['--until <time>', 'only what was said before: 24h, 7d, 2w ago, or a date'],
      ['--agent <name>', 'only sessions with this client, program or model'],
      ['--file <path>', 'only sessions that changed such a file'],
      ['--ref <ref>', 'only sessions that touched this pull request, issue, commit or branch'],
      ['--role <role>', 'only words of user, assistant, tool, checkpoint, file or name'],
      ['--session <id>', 'only this session'],
      ['--limit <n>', 'how many (default: 20)'],
      ['--raw', 'the words are an expression of FTS5'],
      waitOption,
    ],
    examples: [
      'reprise search lease takeover',
      'reprise search "no space left" --role tool --since 2026-03-01',
      "reprise search 'parse*' --repo reprise --json",
    ],
    notes: [
      'On a terminal the key 1 to 9 goes on with the session of a hit. The exit code is 3 when nothing was found.',
      STALE,
    ],
    load: () => import('./commands/search.ts'),
  },
  {
    name: 'reindex',
    summary: 'Brings the session store up to the logs',
    options: [['--force', 'read everything again, not only what changed']],
    examples: ['reprise reindex', 'reprise reindex --force --json'],
    notes: [
      'Stopped at any point, the next run goes on from there. The exit code is 5 when a session could not be indexed.',
    ],
    endsItself: true,
    load: () => import('./commands/reindex.ts'),
  },
]
