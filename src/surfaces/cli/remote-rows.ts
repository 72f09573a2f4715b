/** The commands about copies of sessions in Mission Control. */
import type { Row } from './command.ts'

const remote = () => import('../../commands/remote.ts')
const tasks = () => import('../../commands/tasks.ts')

const syncRow = (name: string): Row => ({
  name,
  of: async () => (await import('../../commands/sync.ts')).remoteSync,
  on: 'home',
  examples: [
    `reprise ${name}`,
    `reprise ${name} --all --repo owner/name`,
    `reprise ${name} --json`,
  ],
  notes: [
    'Stopped at any point, the next run goes on from there. The exit code is 4 when a copy could not be brought up to its session.',
  ],
  endsItself: true,
  view: async () => (await import('./views/sync.ts')).syncView,
})

export const remoteRows: readonly Row[] = [
  {
    name: 'remote login',
    summary: 'Join a Mission Control: its address and a token of this machine are kept in the home',
    arguments: [
      [
        '<url>',
        'where it is, or a link with a code in it, as "reprise control serve" printed them',
      ],
    ],
    options: [
      ['--token <token>', 'one that was made there, in place of a code to say yes to'],
      [
        '--name <name>',
        'what you are called there; where this home has joined already, from now on',
      ],
    ],
    examples: [
      'reprise remote login https://control.example.com',
      'reprise remote login https://control.example.com --name Ann',
    ],
    notes: ['Nothing is sent by that alone: "reprise remote on" says of what a copy is kept.'],
    load: () => import('./commands/remote-login.ts'),
  },
  {
    name: 'remote status',
    of: async () => (await import('../../commands/remote-status.ts')).remoteStatus,
    on: 'home',
    examples: ['reprise remote status', 'reprise remote status @latest --json'],
  },
  {
    name: 'remote on',
    of: async () => (await remote()).remoteOn,
    on: 'session',
    examples: ['reprise remote on @latest', 'reprise remote on @latest --steer'],
    notes: [
      'For all sessions: reprise config set control.mode export; for those of a repository: reprise config set control.repositories \'{"owner/name": "steer"}\'',
    ],
  },
  {
    name: 'remote off',
    of: async () => (await remote()).remoteOff,
    on: 'session',
    examples: ['reprise remote off @latest'],
  },
  syncRow('remote sync'),
  syncRow('sync'),
  {
    name: 'remote list',
    of: async () => (await remote()).remoteList,
    on: 'home',
    examples: ['reprise remote list --json'],
  },
  {
    name: 'remote approve',
    of: async () => (await remote()).remoteApprove,
    on: 'home',
    examples: ['reprise remote approve ABCD-EFGH'],
  },
  {
    name: 'remote kickstart',
    of: async () => (await import('../../commands/kickstart.ts')).remoteKickstart,
    on: 'home',
    examples: ['reprise remote kickstart', 'reprise remote kickstart --off'],
    notes: [
      'Off everywhere until it is asked for. For all projects at once: reprise config set features.remoteKickstart false.',
    ],
  },
  {
    name: 'remote take',
    of: async () => (await import('../../commands/handoff.ts')).remoteTake,
    on: 'home',
    examples: ['reprise remote take "Desk work"'],
    notes: [
      'Here must be a clean work tree of the same repository; its branch is checked out. The session of the other machine stays as it is.',
    ],
  },
  {
    name: 'remote link',
    of: async () => (await remote()).remoteLink,
    on: 'home',
    examples: ['reprise remote link'],
  },
  {
    name: 'tasks list',
    of: async () => (await tasks()).tasksList,
    on: 'home',
    isDefault: true,
    examples: ['reprise tasks list --json'],
  },
  {
    name: 'tasks start',
    of: async () => (await tasks()).tasksStart,
    on: 'home',
    options: [['-p, --prompt <text>', 'the same as the words behind it; "-" reads it from stdin']],
    examples: [
      'reprise tasks start -p "mend the failing test"',
      'reprise tasks start --clean --pool gpu -p "run the benchmark" --json',
    ],
    notes: [
      'What is not committed goes along as a patch, which is shown first. Files that git ignores, and files in whose changes a secret is found, stay here and are named.',
    ],
  },
  {
    name: 'tasks show',
    of: async () => (await tasks()).tasksShow,
    on: 'home',
    isDocument: (result) => (result as { readonly diff?: unknown }).diff !== undefined,
    examples: ['reprise tasks show 3f2a91bc', 'reprise tasks show 3f2a91bc --diff | git apply'],
  },
  {
    name: 'tasks cancel',
    of: async () => (await tasks()).tasksCancel,
    on: 'home',
    examples: ['reprise tasks cancel 3f2a91bc'],
  },
  {
    name: 'tasks archive',
    of: async () => (await tasks()).tasksArchive,
    on: 'home',
    examples: ['reprise tasks archive 3f2a91bc', 'reprise tasks archive 3f2a91bc --back'],
  },
]
