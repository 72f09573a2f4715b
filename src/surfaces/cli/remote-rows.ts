/** The commands about copies of sessions in Mission Control. */
import type { Row } from './command.ts'

const remote = () => import('../../commands/remote.ts')

export const remoteRows: readonly Row[] = [
  {
    name: 'remote login',
    summary: 'Join a Mission Control: its address and a token of this machine are kept in the home',
    arguments: [['<url>', 'where it is, as "reprise control serve" printed it']],
    options: [['--token <token>', 'one that was made there, in place of a code to say yes to']],
    examples: ['reprise remote login https://control.example.com'],
    notes: ['Nothing is sent by that alone: "reprise remote on" says of what a copy is kept.'],
    load: () => import('./commands/remote-login.ts'),
  },
  {
    name: 'remote status',
    of: async () => (await remote()).remote,
    on: 'session',
    examples: ['reprise remote status @latest'],
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
  {
    name: 'remote sync',
    of: async () => (await remote()).remoteSync,
    on: 'home',
    examples: ['reprise remote sync'],
  },
  {
    name: 'remote list',
    of: async () => (await remote()).remoteList,
    on: 'home',
    examples: ['reprise remote list --json'],
  },
]
