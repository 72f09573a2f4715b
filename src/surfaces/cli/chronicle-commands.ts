/** The commands that look back over all sessions, and those of the context board. */
import type { Command } from './command.ts'

const since = ['--since <time>', 'how far back: 24h, 7d, 2w, or a date'] as const
const repo = ['--repo <name>', 'only this repository'] as const
const prompt = ['--prompt', 'the evidence as a prompt for a model'] as const
const branch = ['--branch <name>', 'of this branch, and of all branches'] as const
const all = ['--all', 'of all repositories'] as const

const write = [
  '--write',
  'have whoever answers write it from the evidence, with its sources',
] as const
const agent = ['--agent <agent>', 'who writes it'] as const
const model = ['--model <model>', 'the model that writes it'] as const

const PROMPT =
  'With a model connected, --write gives it the evidence and prints what it makes of it; the sessions that it cites stand below. --prompt prints what it is given.'

export const chronicleGroups = {
  chronicle: 'Reports over all sessions',
  board: 'Notes that new sessions of a repository are given',
} as const

export const chronicleCommands: readonly Command[] = [
  {
    name: 'chronicle standup',
    summary: 'What is done, in progress and blocked, by repository and branch (last 24 hours)',
    options: [since, repo, write, agent, model, prompt],
    examples: [
      'reprise chronicle standup',
      'reprise chronicle standup --since 7d --repo reprise',
      'reprise chronicle standup --write',
    ],
    notes: [PROMPT],
    isDefault: true,
    load: () => import('./commands/standup.ts'),
  },
  {
    name: 'chronicle tips',
    summary: 'Habits that cost time, with the sessions that show them (last 30 days)',
    options: [since, repo, write, agent, model, prompt],
    examples: ['reprise chronicle tips', 'reprise chronicle tips --since 90d --json'],
    notes: [PROMPT],
    load: () => import('./commands/tips.ts'),
  },
  {
    name: 'chronicle improve',
    summary:
      'Where the agent struggled in this repository, and what AGENTS.md could say (last 30 days)',
    options: [
      since,
      repo,
      write,
      agent,
      model,
      prompt,
      ['--diff', 'only the proposed change, as a unified diff'],
    ],
    examples: [
      'reprise chronicle improve',
      'reprise chronicle improve --diff > learned.diff && git apply learned.diff',
    ],
    notes: ['Nothing is changed: read the diff before you apply it.', PROMPT],
    load: () => import('./commands/improve.ts'),
  },
  {
    name: 'chronicle cost',
    summary: 'Tokens and money by model, day and repository (last 30 days)',
    options: [since, repo, write, agent, model, prompt],
    examples: ['reprise chronicle cost', 'reprise chronicle cost --since 7d --json'],
    notes: [
      'Prices are list prices unless the configuration has its own, in dollars for a million tokens: reprise config set prices \'{"gpt-5": {"input": 1.25, "output": 10}}\'',
    ],
    load: () => import('./commands/cost.ts'),
  },
  {
    name: 'chronicle search',
    summary: 'Searches everything that was said and done; "reprise search" knows more filters',
    arguments: [['<words...>', 'all of them must occur; "a phrase" together, foo* as a beginning']],
    options: [
      ['--repo <name>', 'only sessions of this repository'],
      ['--since <time>', 'only what was said since then: 24h, 7d, 2w, or a date'],
      ['--limit <n>', 'how many (default: 20)'],
    ],
    examples: ['reprise chronicle search lease takeover'],
    load: () => import('./commands/search.ts'),
  },
  {
    name: 'chronicle reindex',
    summary: 'Brings the session store up to the logs, as "reprise reindex" does',
    options: [['--force', 'read everything again, not only what changed']],
    examples: ['reprise chronicle reindex'],
    endsItself: true,
    load: () => import('./commands/reindex.ts'),
  },
  {
    name: 'board list',
    summary: 'What is on the board for this repository, and what sessions propose for it',
    options: [repo, branch, all],
    examples: ['reprise board', 'reprise board list --all --json'],
    notes: [
      'When a session ends, what it learned is proposed: what you told it to do from now on, a command that worked where another failed, checks that went well, the details of its newest checkpoint. No session is told a proposal before you accept it.',
    ],
    isDefault: true,
    load: () => import('./commands/board-list.ts'),
  },
  {
    name: 'board add',
    summary: 'Keeps something that the next sessions of this repository should know',
    arguments: [
      ['<name>', 'a short title; the same title replaces its entry'],
      ['<content>', 'what to know; "-" reads it from stdin'],
    ],
    options: [
      ['--about <text>', 'when it matters, or where it is from'],
      repo,
      ['--branch <name>', 'only for sessions on this branch'],
    ],
    examples: ['reprise board add "package manager" "Use pnpm; npm breaks the lockfile."'],
    load: () => import('./commands/board-add.ts'),
  },
  {
    name: 'board remove',
    summary: 'Takes an entry off the board',
    arguments: [['<name>', 'its name, or a part that only one has']],
    options: [repo, branch, all],
    examples: ['reprise board remove "package manager"'],
    load: () => import('./commands/board-remove.ts'),
  },
  {
    name: 'board prune',
    summary: 'Takes off the board what was not used for long, or is too much',
    options: [
      ['--days <n>', 'neither added nor read for more than this many days'],
      ['--keep <n>', 'all but the n most used'],
      ['--size <kB>', 'all but the most used of this size together'],
      ['--dry-run', 'only say what would be removed'],
      repo,
      branch,
      all,
    ],
    examples: ['reprise board prune --days 90 --dry-run'],
    load: () => import('./commands/board-prune.ts'),
  },
  {
    name: 'board accept',
    summary: 'Puts what sessions propose on the board',
    arguments: [['[proposal...]', 'ids, or their beginnings, as "reprise board" shows them']],
    options: [['--all', 'all proposals for this repository'], repo],
    examples: ['reprise board accept 3f2a91c4', 'reprise board accept --all'],
    load: () => import('./commands/board-accept.ts'),
  },
  {
    name: 'board dismiss',
    summary: 'Takes proposals away; the same is not proposed again',
    arguments: [['[proposal...]', 'ids, or their beginnings, as "reprise board" shows them']],
    options: [['--all', 'all proposals for this repository'], repo],
    examples: ['reprise board dismiss 3f2a91c4', 'reprise board dismiss --all'],
    load: () => import('./commands/board-dismiss.ts'),
  },
  {
    name: 'board propose',
    summary: 'What one session learned that the next ones should know',
    arguments: [['<session>', 'id, beginning of an id, name, @latest or @continue']],
    options: [['--add', 'put all of it on the board']],
    examples: ['reprise board propose @latest', 'reprise board propose @latest --add'],
    load: () => import('./commands/board-propose.ts'),
  },
]
