/** Every command, with the words that help, reference and completion are made of. Long because it is one table. */
import { controlCommands } from './control-commands.ts'
import { chronicleCommands, chronicleGroups } from './chronicle-commands.ts'
import { sessionArgument as session } from './session-argument.ts'
import { acpOptions, exportOptions, servingOptions, webOptions } from './server-options.ts'
import { copilotOptions, unusedCopilotOptions } from './copilot-options.ts'
import { oneOf } from './option.ts'
import type { Option } from './option.ts'
import { steeringCommands } from './steering-commands.ts'
import { storeCommands } from './store-commands.ts'
import { refuseConflicts, serverIn } from './root-flags.ts'
import type { Command } from './command.ts'

const yes = ['--yes', 'do not ask'] as const
const files = [
  ['--keep-files', 'take back the conversation alone, and leave files as they are'],
  ['--files', 'take back what these turns changed in files, too: the default'],
] as const
const wait = ['--wait <seconds>', 'how long to wait for a busy session'] as const

/** Of every command, behind its name or before it. */
export const commonOptions: readonly Option[] = [
  ['--json', 'print the result as JSON; errors too, on stderr'],
  ['--home <dir>', 'where sessions live (default: $REPRISE_HOME, $COPILOT_HOME, ~/.reprise)'],
  ['-C, --cwd <dir>', 'work as if started in this directory'],
  ['-h, --help', 'print help'],
]

export const rootCommand: Command = {
  name: '',
  summary:
    'Opens a session in the terminal, or with -p sends one message and prints the answer. Every word is recorded.',
  options: [
    ['-p, --prompt <text>', 'the message; "-" reads it from stdin'],
    ['-r, --resume [session]', 'go on with a session: id, beginning of an id, or name'],
    ['--continue', 'go on with the most relevant session for this directory'],
    ['-n, --name <name>', 'name the new session'],
    [
      '--agent <agent>',
      'who answers: offline, model, copilot, claude, codex, gemini, opencode, qwen, or a command',
    ],
    ['--model <model>', 'the model to ask'],
    ['--allow-all', 'allow everything that the agent wants to do, without asking'],
    ['--plain', 'line by line instead of the whole screen, for screen readers'],
    ['--stream [mode]', 'with --json: notices too, as they come; off for none', oneOf('on', 'off')],
    wait,
    [
      '--log-level <level>',
      'how much the diagnostics tell, and a server on stderr: none, error, warning, info or debug',
      oneOf('none', 'error', 'warning', 'info', 'debug', 'all', 'default'),
    ],
    ['--connect [session]', 'attach to a session of Mission Control, when one is configured'],
    ['--cloud', 'start a session in Mission Control, when one is configured'],
    ['-V, --version', 'print the version'],
  ],
  sections: [
    { heading: 'Options for serving programs', options: servingOptions },
    { heading: 'Options of the Copilot CLI', options: copilotOptions },
    {
      heading: 'Options of the Copilot CLI that change nothing here; a warning names them',
      options: unusedCopilotOptions,
      isUnused: true,
    },
  ],
  examples: [
    'reprise',
    'reprise -p "run npm test"',
    'reprise --continue -p "and now the linter"',
    'git diff | reprise -p - --json',
  ],
  notes: [
    'Inside the project the agent reads without asking. Anything else is asked for on the terminal; without one it is refused, unless --allow-all is given.',
    '--continue wants a session to go on with: when there is none, nothing is started and the exit code is 3.',
    'A UUID that no session has, given to --resume, becomes the id of a new session.',
  ],
  endsItself: true,
  async load(given) {
    if (serverIn(given) !== undefined) return (await import('./commands/serve.ts')).byFlag
    refuseConflicts(given)
    return import('./commands/prompt.ts')
  },
}

export const groups: Readonly<Record<string, string>> = {
  sessions: 'Lists, reads and changes recorded sessions',
  debug: 'Gathers what somebody else needs to find out what is wrong',
  control: 'Serves Mission Control, the sessions of a team, and looks after it',
  ...chronicleGroups,
}

export const commands: readonly Command[] = [
  {
    name: 'sessions list',
    summary: 'Lists sessions, the nearest to this directory first',
    options: [
      ['--all', 'all of them, not the newest 20'],
      ['--here', 'only those of this directory, repository or branch'],
      ['--limit <n>', 'how many'],
      ['--trash', 'deleted sessions that can be restored'],
    ],
    examples: [
      'reprise sessions list --here',
      "reprise sessions list --json | jq '.sessions[0].id'",
    ],
    isDefault: true,
    load: () => import('./commands/list.ts'),
  },
  {
    name: 'sessions show',
    summary: 'Says what is known of a session, or prints its transcript',
    arguments: [session],
    options: [
      ['--transcript', 'what was said and done'],
      ['--markdown', 'the transcript as Markdown'],
    ],
    examples: [
      'reprise sessions show @latest',
      'reprise sessions show 3f2a91bc --markdown > talk.md',
    ],
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'sessions rename',
    summary: 'Gives a session a name',
    arguments: [session, ['<name>', 'the new name']],
    examples: ['reprise sessions rename @latest "Lease tests"'],
    load: () => import('./commands/rename.ts'),
  },
  {
    name: 'sessions delete',
    summary: 'Moves sessions to the trash, or removes them for good',
    arguments: [['<session...>', 'ids, beginnings of ids, or names']],
    options: [['--now', 'for good: no restore'], yes],
    examples: [
      'reprise sessions delete 3f2a91bc',
      'reprise sessions delete "Lease tests" --now --yes',
    ],
    load: () => import('./commands/delete.ts'),
  },
  {
    name: 'sessions restore',
    summary: 'Brings a deleted session back from the trash',
    arguments: [['<id>', 'id or its beginning']],
    examples: ['reprise sessions list --trash', 'reprise sessions restore 3f2a91bc'],
    load: () => import('./commands/restore.ts'),
  },
  {
    name: 'sessions prune',
    summary: 'Moves sessions that nobody touched for a while to the trash',
    options: [
      ['--days <n>', 'untouched for more than this many days'],
      ['--include-named', 'also those that a person named'],
      ['--dry-run', 'only say what would be done'],
      yes,
    ],
    examples: ['reprise sessions prune --days 30 --dry-run'],
    load: () => import('./commands/prune.ts'),
  },
  {
    name: 'sessions fork',
    summary: 'Makes a new session with the same beginning',
    arguments: [session],
    options: [
      ['--before <event>', 'leave this event and all after it out'],
      ['--turn <n>', 'leave this turn and all after it out'],
      ['--name <name>', 'name the fork'],
    ],
    examples: ['reprise sessions fork @latest --turn 3 --name "Another way"'],
    load: () => import('./commands/fork.ts'),
  },
  {
    name: 'sessions rewind',
    summary:
      'Takes back a message and all after it, with what was changed in files; redo brings it back',
    arguments: [session, ['[event]', 'the first event to remove']],
    options: [
      ['--turn <n>', 'the first turn to remove'],
      ['--list', 'the turns that can be rewound to'],
      ['--preview', 'only say what would be removed, and what would become of files'],
      ...files,
      wait,
      yes,
    ],
    examples: [
      'reprise sessions rewind @latest --list',
      'reprise sessions rewind @latest --turn 3',
    ],
    load: () => import('./commands/rewind.ts'),
  },
  {
    name: 'sessions undo',
    summary:
      'Takes back the last turn, or the last n, with the files they changed; redo brings them back',
    arguments: [session, ['[n]', 'how many turns']],
    options: [...files, wait],
    examples: ['reprise sessions undo @latest'],
    load: () => import('./commands/undo.ts'),
  },
  {
    name: 'sessions redo',
    summary: 'Brings back what the last rewind or undo took, files too when it took them',
    arguments: [session],
    options: [wait],
    examples: ['reprise sessions redo @latest'],
    load: () => import('./commands/redo.ts'),
  },
  {
    name: 'sessions compact',
    summary: 'Puts a summary in the place of earlier messages, for the model only',
    arguments: [session, ['[instructions...]', 'what the summary should keep']],
    options: [wait],
    examples: ['reprise sessions compact @latest keep the failing test names'],
    load: () => import('./commands/compact.ts'),
  },
  {
    name: 'sessions checkpoints',
    summary: 'Lists the summaries that compactions made, or prints one',
    arguments: [session, ['[n]', 'the number of one']],
    examples: ['reprise sessions checkpoints @latest', 'reprise sessions checkpoints @latest 1'],
    load: () => import('./commands/checkpoints.ts'),
  },
  {
    name: 'sessions files',
    summary: "Lists the files in the session's own folder, or prints one",
    arguments: [session, ['[path]', 'one of them']],
    examples: ['reprise sessions files @latest', 'reprise sessions files @latest files/notes.md'],
    load: () => import('./commands/files.ts'),
  },
  {
    name: 'sessions plan',
    summary: "Prints, sets or deletes the session's plan",
    arguments: [session],
    options: [
      ['--set <text>', 'the new plan; "-" reads it from stdin'],
      ['--delete', 'remove the plan'],
    ],
    examples: ['reprise sessions plan @latest', 'reprise sessions plan @latest --set - < plan.md'],
    load: () => import('./commands/plan.ts'),
  },
  {
    name: 'sessions events',
    summary: "Prints a session's events, and follows them as they happen",
    arguments: [session],
    options: [
      ['--follow', 'go on with what happens from now'],
      ['--after <event>', 'only what comes after this event'],
      ['--last <n>', 'only the last n'],
      ['--types <types>', 'only these types, separated by commas'],
      ['--raw', "the log's bytes, as they are"],
    ],
    examples: [
      'reprise sessions events @latest --last 10',
      'reprise sessions events @latest --follow --json --types user.message,assistant.message',
    ],
    endsItself: true,
    load: () => import('./commands/events.ts'),
  },
  ...steeringCommands,
  ...storeCommands,
  ...chronicleCommands,
  ...controlCommands,
  {
    name: 'doctor',
    summary: 'Looks for damage in logs, store and board, says exactly what is lost, and mends',
    arguments: [['[session]', 'one session; all of them without it']],
    options: [['--repair', 'mend what can be mended; damaged bytes are kept aside']],
    examples: ['reprise doctor', 'reprise doctor 3f2a91bc --repair'],
    notes: ['The exit code is 5 when something that needs mending was found and not mended.'],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'acp',
    summary: 'Serves sessions to an editor over the Agent Client Protocol, on stdin and stdout',
    options: acpOptions,
    examples: ['reprise acp', 'reprise acp --agent claude'],
    notes: ['An editor keeps its agent and gains durable load, list, fork, rewind and search.'],
    load: async () => (await import('./commands/serve.ts')).acp,
  },
  {
    name: 'web',
    summary: 'Serves a page on which sessions are watched, steered and searched',
    options: webOptions,
    examples: ['reprise web', 'reprise web --port 7777 --no-open', 'reprise web --guest @latest'],
    notes: [
      'The printed link opens the page once; docs/web.md tells of programs, TLS and remote use.',
    ],
    load: async () => (await import('./commands/serve.ts')).web,
  },
  {
    name: 'export',
    summary: 'Writes a session as one redacted file: HTML, Markdown or JSON',
    arguments: [session],
    options: exportOptions,
    examples: ['reprise export @latest --html -o session.html'],
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'blame',
    summary: 'Says which turn and prompt last wrote a line, from what was recorded',
    arguments: [['<file:line>', 'as src/main.ts:12']],
    options: [['--session <session>', 'only this one']],
    examples: ['reprise blame src/main.ts:12'],
    load: () => import('./commands/blame.ts'),
  },
  {
    name: 'config',
    summary: 'Shows or changes the configuration: who answers, permissions, hooks, servers',
    arguments: [
      ['[action]', 'get, set, unset or path; without it, everything is shown'],
      ['[setting]', 'a dotted name, as model.name'],
      ['[value]', 'JSON or text'],
    ],
    examples: [
      'reprise config set agent claude',
      'reprise config set model.baseUrl http://127.0.0.1:8080/v1',
      'reprise config set permissions.allow \'["shell(git status*)"]\'',
    ],
    notes: [
      'Keys do not belong in the file: model.apiKeyEnv names the environment variable that holds one.',
      'REPRISE_AGENT and REPRISE_MODEL go before the file; OPENAI_BASE_URL and ANTHROPIC_BASE_URL are the address when it has none.',
      'Nothing in a repository or a session is ever read as configuration.',
    ],
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'agents',
    summary: 'Lists the coding agents that are on this machine, and what each can do',
    examples: ['reprise agents', "reprise agents --json | jq '.agents[].name'"],
    notes: [
      'Each agent that is found is started for a moment, to ask it. Nothing is sent to a model.',
    ],
    load: () => import('./commands/agents.ts'),
  },
  {
    name: 'debug bundle',
    summary:
      'Writes an archive for a report of a problem: versions, settings, diagnostics, no content',
    options: [['-o, --output <file>', 'where to (default: reprise-debug-<time>.tar.gz, here)']],
    examples: ['reprise debug bundle', 'reprise debug bundle -o /tmp/problem.tar.gz'],
    notes: [
      'No prompt, answer, file or name of a session is in it; values of the configuration that may be secret are left out, and the rest is redacted. Look into it before you send it.',
      'REPRISE_LOG=debug makes the diagnostics log tell more: off, error, warn, info or debug.',
    ],
    load: () => import('./commands/debug-bundle.ts'),
  },
  {
    name: 'home',
    summary: 'Says where sessions live and how much there is',
    examples: ['reprise home', 'reprise home --json'],
    load: () => import('./commands/home.ts'),
  },
  {
    name: 'completion',
    summary: 'Prints a completion script for a shell',
    arguments: [['<shell>', 'bash, zsh or fish']],
    examples: [
      'eval "$(reprise completion bash)"',
      'reprise completion fish > ~/.config/fish/completions/reprise.fish',
    ],
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'help',
    summary: 'Prints help for a command',
    arguments: [['[command...]', 'its name']],
    examples: ['reprise help sessions rewind'],
    load: () => import('./commands/help.ts'),
  },
  {
    name: '__complete',
    summary: 'Candidates for the last word, one a line',
    arguments: [['[words...]', 'the words so far']],
    examples: [],
    hidden: true,
    load: () => import('./commands/complete.ts'),
  },
]
