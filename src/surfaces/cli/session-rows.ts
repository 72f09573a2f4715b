/** The commands about one session or the list of them that the table of commands has, and where they sit. */
import type { Row } from './command.ts'

const yes = ['--yes', 'do not ask'] as const
const files = ['--files', 'take back what these turns changed in files, too: the default'] as const
const turn = (as: string) =>
  ['--turn <n>', 'the number of a turn, in place of an event', { as }] as const

const time = () => import('../../commands/time.ts')
const kept = () => import('../../commands/session-files.ts')
const gone = () => import('../../commands/remove.ts')
const queue = () => import('../../commands/queue.ts')

/** The row of `sessions trash` and of `sessions list --trash`. */
export const trash: Row = {
  name: 'sessions trash',
  of: async () => (await gone()).trash,
  on: 'home',
  examples: ['reprise sessions trash'],
}

const given = () => import('../../commands/context-at.ts')

const context = (name: string): Row => ({
  name,
  of: async () => (await given()).context,
  on: 'session',
  words: [],
  instead: {
    omit: async () => (await given()).contextOmit,
    restore: async () => (await given()).contextRestore,
  },
  examples: [
    `reprise ${name} @latest`,
    `reprise ${name} @latest --turn 3 --whole`,
    `reprise ${name} @latest --omit 3f2a91bc`,
  ],
})

export const sessionRows: readonly Row[] = [
  {
    name: 'sessions handoff',
    of: async () => (await import('../../commands/handoff.ts')).handoff,
    examples: [
      'reprise sessions handoff @latest',
      'reprise sessions handoff @latest --pool gpu "run the benchmark"',
    ],
  },
  {
    name: 'sessions show',
    of: async () => (await import('../../commands/session-info.ts')).sessionInfo,
    options: [
      ['--transcript', 'what was said and done'],
      ['--markdown', 'the transcript as Markdown'],
    ],
    examples: [
      'reprise sessions show @latest',
      'reprise sessions show 3f2a91bc --markdown > talk.md',
    ],
    view: async () => (await import('./views/info.ts')).infoView,
  },
  {
    name: 'sessions rename',
    of: async () => (await import('../../commands/rename.ts')).rename,
    examples: ['reprise sessions rename @latest "Lease tests"'],
    notes: [
      'A session that nobody named is called by its model or agent after the first turn: by the words of its first prompt with "reprise config set titles.by words", by a smaller model with "reprise config set titles.model <name>". A name that is given here stays.',
    ],
  },
  {
    name: 'sessions delete',
    of: async () => (await gone()).deleteSession,
    on: 'home',
    words: ['sessions…!'],
    join: (words) => words,
    examples: [
      'reprise sessions delete 3f2a91bc',
      'reprise sessions delete "Lease tests" --now --yes',
    ],
    view: async () => (await import('./views/remove.ts')).deleteView,
  },
  trash,
  {
    name: 'sessions restore',
    of: async () => (await gone()).restore,
    on: 'home',
    examples: [
      'reprise sessions list --trash',
      'reprise sessions restore 3f2a91bc',
      'reprise sessions restore "fix the parser"',
    ],
  },
  {
    name: 'sessions reopen',
    of: async () => (await import('../../commands/reopen.ts')).reopen,
    on: 'home',
    examples: ['reprise sessions reopen', 'reprise sessions reopen --json'],
    notes: ['A session that was closed in order is not among them.'],
  },
  {
    name: 'sessions prune',
    of: async () => (await gone()).prune,
    on: 'home',
    words: [],
    examples: ['reprise sessions prune --days 30 --dry-run'],
    view: async () => (await import('./views/remove.ts')).pruneView,
  },
  {
    name: 'sessions discard',
    of: async () => (await gone()).discard,
    words: [],
    examples: [
      'reprise sessions discard @latest',
      'reprise sessions discard 3f2a91bc --days 30 --yes',
    ],
  },
  {
    name: 'sessions fork',
    of: async () => (await import('../../commands/fork.ts')).fork,
    words: [],
    options: [turn('before')],
    examples: ['reprise sessions fork @latest --turn 3 --name "Another way"'],
  },
  {
    name: 'sessions tree',
    of: async () => (await import('../../commands/fork.ts')).tree,
    examples: ['reprise sessions tree @latest'],
  },
  {
    name: 'sessions rewind',
    of: async () => (await time()).rewind,
    options: [turn('point'), files, yes],
    examples: [
      'reprise sessions rewind @latest --list',
      'reprise sessions rewind @latest --turn 3',
    ],
    view: async () => (await import('./views/rewind.ts')).rewindView,
  },
  {
    name: 'sessions undo',
    of: async () => (await time()).undo,
    options: [files],
    examples: ['reprise sessions undo @latest'],
  },
  {
    name: 'sessions redo',
    of: async () => (await time()).redo,
    examples: ['reprise sessions redo @latest'],
  },
  {
    name: 'sessions changes',
    of: async () => (await import('../../commands/changes.ts')).changes,
    examples: ['reprise sessions changes @latest'],
  },
  {
    name: 'sessions compact',
    of: async () => (await import('../../commands/context.ts')).compact,
    examples: ['reprise sessions compact @latest keep the failing test names'],
  },
  context('sessions context'),
  context('context'),
  {
    name: 'sessions instructions',
    of: async () => (await import('../../commands/guidance.ts')).instructions,
    examples: [
      'reprise sessions instructions @latest',
      'reprise sessions instructions @latest CLAUDE.md off',
    ],
  },
  {
    name: 'sessions agents',
    of: async () => (await import('../../commands/guidance.ts')).agents,
    examples: ['reprise sessions agents @latest', 'reprise sessions agents @latest reviewer'],
  },
  {
    name: 'sessions skills',
    of: async () => (await import('../../commands/guidance.ts')).skills,
    examples: ['reprise sessions skills @latest', 'reprise sessions skills @latest deploy off'],
  },
  {
    name: 'sessions usage',
    of: async () => (await import('../../commands/context.ts')).usage,
    examples: ['reprise sessions usage @latest'],
  },
  {
    name: 'sessions checkpoints',
    of: async () => (await kept()).checkpoints,
    examples: ['reprise sessions checkpoints @latest', 'reprise sessions checkpoints @latest 1'],
    isDocument: true,
  },
  {
    name: 'sessions files',
    of: async () => (await kept()).files,
    examples: ['reprise sessions files @latest', 'reprise sessions files @latest files/notes.md'],
    view: async () => (await import('./views/files.ts')).filesView,
  },
  {
    name: 'sessions plan',
    of: async () => (await kept()).plan,
    instead: {
      set: async () => (await kept()).planSet,
      delete: async () => (await kept()).planDelete,
    },
    examples: ['reprise sessions plan @latest', 'reprise sessions plan @latest --set - < plan.md'],
    isDocument: true,
  },
  {
    name: 'sessions tell',
    of: async () => (await queue()).tell,
    examples: ['reprise sessions tell @latest leave the tests alone'],
    notes: [
      'The turn may run in another process: a terminal, a browser, an editor. Without one nothing is said, and the exit code is 2.',
    ],
  },
  {
    name: 'sessions cancel',
    of: async () => (await queue()).cancel,
    examples: ['reprise sessions cancel @latest'],
    notes: [
      'The turn may run in another process. What was said and done until then stays in the log.',
    ],
  },
]
