/** The commands for a turn that runs in another process: another terminal, a browser, an editor. */
import type { Command } from './command.ts'
import { sessionArgument as session } from './session-argument.ts'

const NOT_HERE =
  'The process that runs the turn does it, and the log says so. The first answer wins, wherever it comes from.'

export const steeringCommands: readonly Command[] = [
  {
    name: 'sessions tell',
    summary: 'Says something to a turn that is running, wherever it runs',
    arguments: [session, ['<text...>', 'what to say; "-" reads it from stdin']],
    options: [['--queue', 'as a message of its own, when the turn has ended']],
    examples: ['reprise sessions tell @latest leave the tests alone'],
    notes: ['Without a running turn nothing is said, and the exit code is 2.'],
    load: () => import('./commands/tell.ts'),
  },
  {
    name: 'sessions answer',
    summary: 'Shows what a running turn waits for, or answers it',
    arguments: [
      session,
      ['[answer...]', 'allow, always or deny, with a reason behind deny; to a question, any text'],
    ],
    options: [['--request <id>', 'which one, when it waits for several']],
    examples: [
      'reprise sessions answer @latest',
      'reprise sessions answer @latest allow',
      'reprise sessions answer @latest deny use the staging server',
    ],
    notes: [NOT_HERE],
    load: () => import('./commands/answer.ts'),
  },
  {
    name: 'sessions cancel',
    summary: 'Stops a turn that is running, wherever it runs',
    arguments: [session],
    examples: ['reprise sessions cancel @latest'],
    notes: ['What was said and done until then stays in the log.'],
    load: () => import('./commands/cancel.ts'),
  },
]
