/** The commands of Mission Control. */
import type { Command } from './command.ts'
import {
  controlOptions,
  controlRestoreOptions,
  controlRetentionOptions,
  controlServeOptions,
  controlTokenOptions,
} from './control.ts'

const load = () => import('./commands/control.ts')

export const controlCommands: readonly Command[] = [
  {
    name: 'control serve',
    summary: 'Serve Mission Control: the sessions of a team, exported, watched and steered',
    options: controlServeOptions,
    examples: [
      'reprise control serve',
      'reprise control serve --database postgres://reprise@db.internal/reprise --host 0.0.0.0 --url https://control.example.com',
    ],
    notes: [
      'The first start prints a link for the first owner. docs/control.md tells of the rest.',
    ],
    load: async () => (await load()).serve,
  },
  {
    name: 'control token',
    summary: 'Make a token for a machine or a program, list tokens, or revoke one',
    arguments: [
      ['<action>', 'create, list or revoke'],
      ['[id]', 'of the token to revoke'],
    ],
    options: controlTokenOptions,
    examples: [
      'reprise control token create --name laptop --scope export,watch --json',
      'reprise control token list',
    ],
    load: async () => ({ run: (await load()).token }),
  },
  {
    name: 'control people',
    summary: 'List the people of a tenant, add one, or call one otherwise',
    options: [
      ...controlOptions,
      ['--add <name>', 'add a person'],
      ['--role <role>', 'owner, member or viewer (default: member)'],
      ['--rename <id>', 'call a person otherwise, with --name'],
      ['--name <name>', 'what they are called from now on'],
    ],
    examples: [
      'reprise control people',
      'reprise control people --add Ann --role member --json',
      'reprise control people --rename 4f2kQ0aB --name Ann',
    ],
    load: async () => ({ run: (await load()).people }),
  },
  {
    name: 'control tenants',
    summary: 'List the tenants, or add one: people and sessions that know nothing of others',
    options: [
      ...controlOptions,
      ['--add <id>', 'add a tenant'],
      ['--name <name>', 'what it is called'],
    ],
    examples: [
      'reprise control tenants --json',
      'reprise control tenants --add acme --name "Acme Ltd"',
    ],
    load: async () => ({ run: (await load()).tenants }),
  },
  {
    name: 'control sessions',
    summary: 'List the sessions of a tenant, without their content',
    options: controlOptions,
    examples: ['reprise control sessions --json'],
    load: async () => ({ run: (await load()).sessions }),
  },
  {
    name: 'control tasks',
    summary: 'List the tasks of a tenant, without their content',
    options: controlOptions,
    examples: ['reprise control tasks --json'],
    load: async () => ({ run: (await load()).tasks }),
  },
  {
    name: 'control workers',
    summary: 'List the workers of a tenant, and what each may do without asking',
    options: controlOptions,
    examples: ['reprise control workers --json'],
    load: async () => ({ run: (await load()).workers }),
  },
  {
    name: 'control retention',
    summary: 'Show or set how long sessions are kept and how much a tenant may write',
    options: controlRetentionOptions,
    examples: ['reprise control retention', 'reprise control retention --keep-days 365 --run'],
    load: async () => ({ run: (await load()).retention }),
  },
  {
    name: 'control backup',
    summary: 'Write one moment of the database to a file, while servers go on',
    arguments: [['<file>', 'a new file; compressed lines of JSON, the same for both engines']],
    options: controlOptions,
    examples: ['reprise control backup monday.jsonl.gz'],
    load: async () => ({ run: (await load()).backup }),
  },
  {
    name: 'control restore',
    summary: 'Put a backup into a database; what was deleted since is forgotten again',
    arguments: [['<file>', 'what control backup wrote']],
    options: controlRestoreOptions,
    examples: ['reprise control restore monday.jsonl.gz --replace'],
    load: async () => ({ run: (await load()).restore }),
  },
  {
    name: 'control doctor',
    summary: 'Say what the database is, how it makes commits durable, and whether it has holes',
    options: controlOptions,
    examples: ['reprise control doctor', 'reprise control doctor --database postgres://…'],
    notes: ['The exit code is 5 when records are missing.'],
    load: async () => ({ run: (await load()).doctor }),
  },
]
