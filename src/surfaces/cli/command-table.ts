/** Every command, with the words that help, reference and completion are made of. Long because it is one table. */
import { controlCommands } from './control-commands.ts'
import { remoteRows } from './remote-rows.ts'
import { sessionArgument as session } from './session-argument.ts'
import {
  acpOptions,
  exportOptions,
  servingOptions,
  webOptions,
  workerOptions,
} from './server-options.ts'
import {
  copilotOptions,
  refusedCopilotOptions,
  sandboxOption,
  unusedCopilotOptions,
} from './copilot-options.ts'
import { described } from './described.ts'
import { oneOf, type Option } from './option.ts'
import { homeRows } from './home-rows.ts'
import { sessionRows, trash } from './session-rows.ts'
import { refuseConflicts, serverIn } from './root-flags.ts'
import type { Command, Program, Row } from './command.ts'

const wait = ['--wait <seconds>', 'how long to wait for a busy session'] as const

const common: readonly Option[] = [
  ['--json', 'print the result as JSON; errors too, on stderr'],
  ['--home <dir>', 'where sessions live (default: $REPRISE_HOME, $COPILOT_HOME, ~/.reprise)'],
  ['-C, --cwd <dir>', 'work as if started in this directory'],
  ['-h, --help', 'print help'],
]

const root: Command = {
  name: '',
  summary:
    'Open a session in the terminal, or with -p send one message and print the answer. Every word is recorded.',
  options: [
    ['-p, --prompt <text>', 'the message; "-" reads it from stdin'],
    [
      '-r, --resume [session]',
      'go on with a session: id, beginning of an id, or name; without one, choose from a list',
    ],
    ['--continue', 'go on with the most relevant session for this directory'],
    ['-n, --name <name>', 'name the new session'],
    [
      '--agent <agent>',
      'who answers: offline, model, copilot, claude, codex, gemini, opencode, qwen, or a command',
    ],
    ['--model <model>', 'the model to ask'],
    ['--allow-all', 'allow everything that the agent wants to do, without asking'],
    sandboxOption,
    [
      '--plain',
      'line by line instead of the whole screen, for screen readers (TERM=dumb means it, too); each line of a piped stdin is a message',
    ],
    ['--stream [mode]', 'with --json: notices too, as they come; off for none', oneOf('on', 'off')],
    wait,
    [
      '--log-level <level>',
      'how much goes into the diagnostics log, and from a server to stderr: off, error, warn, info or debug; or as the Copilot CLI says it: none, warning, all, default',
      oneOf('off', 'none', 'error', 'warn', 'warning', 'info', 'debug', 'all', 'default'),
    ],
    [
      '--connect [session]',
      'attach to a session of another machine: id, task, beginning of an id, or name',
    ],
    ['--cloud', 'start a session on a worker of Mission Control, and attach to it'],
    ['-V, --version', 'print the version'],
  ],
  sections: [
    { heading: 'Options for serving programs', options: servingOptions },
    { heading: 'Options of the Copilot CLI', options: copilotOptions },
    {
      heading:
        'Options of the Copilot CLI that are refused: nothing here would do what they promise',
      options: refusedCopilotOptions,
    },
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
    'Inside the project the agent reads without asking. It asks you on the terminal before anything else; without a terminal that is refused, unless you give --allow-all. Agents of others ask by rules of their own, which "reprise agents" lists.',
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

const groups: Readonly<Record<string, string>> = {
  sessions: 'List, read and change recorded sessions',
  debug: 'Make an archive for a report of a problem',
  chronicle: 'Reports over all sessions',
  board: 'Notes that new sessions of a repository are given',
  remote: 'Keep copies of sessions in Mission Control, and have them steered from there',
  tasks: 'Leave work for workers of Mission Control, and see what came of it',
  control: 'Serve Mission Control, the sessions of a team, and look after it',
}

const commands: readonly Row[] = [
  {
    name: 'sessions list',
    summary: 'List sessions, the nearest to this directory first',
    options: [
      ['--all', 'all of them, not the newest 20'],
      ['--here', 'only those of this directory, repository or branch'],
      ['--limit <n>', 'how many'],
      ['--remote', 'those of other machines, too, as Mission Control shows them'],
      ['--trash', 'deleted sessions that can be restored, as "sessions trash" lists them'],
    ],
    examples: [
      'reprise sessions list --here',
      "reprise sessions list --json | jq '.sessions[0].id'",
    ],
    isDefault: true,
    load: async (given) =>
      given.flag('trash') ? (await described(trash)).load(given) : import('./commands/list.ts'),
  },
  ...sessionRows,
  {
    name: 'sessions events',
    summary: "Print a session's events, and follow them as they happen",
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
  {
    name: 'sessions answer',
    summary: 'Show what a running turn waits for, or answer it',
    arguments: [
      session,
      [
        '[answer...]',
        "allow, always or deny, with a reason behind deny, or one of the agent's own answers; to a question, any text",
      ],
    ],
    options: [['--request <id>', 'which one, when it waits for several']],
    examples: [
      'reprise sessions answer @latest',
      'reprise sessions answer @latest allow',
      'reprise sessions answer @latest deny use the staging server',
    ],
    notes: [
      'The process that runs the turn does it, and the log says so. The first answer wins, wherever it comes from.',
    ],
    load: () => import('./commands/answer.ts'),
  },
  ...homeRows,
  ...remoteRows,
  ...controlCommands,
  {
    name: 'doctor',
    summary: 'Look for damage in logs, store and board, say exactly what is lost, and mend',
    arguments: [['[session]', 'one session; all of them without it']],
    options: [
      ['--repair', 'mend what can be mended; damaged bytes are kept aside'],
      ['--quick', 'the logs, and not all that is kept beside them'],
    ],
    examples: ['reprise doctor', 'reprise doctor --quick', 'reprise doctor 3f2a91bc --repair'],
    notes: ['The exit code is 5 when something that needs mending was found and not mended.'],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'acp',
    summary: 'Serve sessions to an editor over the Agent Client Protocol, on stdin and stdout',
    options: acpOptions,
    examples: ['reprise acp', 'reprise acp --agent claude'],
    notes: ['An editor keeps its agent and gains durable load, list, fork, rewind and search.'],
    load: async () => (await import('./commands/serve.ts')).acp,
  },
  {
    name: 'web',
    summary: 'Serve a page on which sessions are watched, steered and searched',
    options: webOptions,
    examples: ['reprise web', 'reprise web --port 7777 --no-open', 'reprise web --guest @latest'],
    notes: [
      'The printed link opens the page once; docs/web.md tells of programs, TLS and remote use.',
    ],
    load: async () => (await import('./commands/serve.ts')).web,
  },
  {
    name: 'worker',
    summary: 'Run tasks of Mission Control on this machine, each in a work tree of its own',
    options: workerOptions,
    examples: [
      'reprise worker --slots 2 --projects ~/tasks',
      'reprise worker --pool gpu --agent claude',
    ],
    notes: [
      'Agent, permissions and environment come from this machine: worker.hosts in the configuration lists from where it clones, worker.env which variables the agent gets.',
      'Killed in the middle, another worker goes on from what is recorded.',
    ],
    load: async () => (await import('./commands/serve.ts')).worker,
  },
  {
    name: 'export',
    summary: 'Write a session as one redacted file: HTML, Markdown or JSON',
    arguments: [session],
    options: exportOptions,
    examples: [
      'reprise export @latest --html -o session.html',
      'reprise export @latest --to claude',
    ],
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'blame',
    summary: 'Say which prompt last wrote each line of a file, from what was recorded',
    arguments: [['<file[:lines]>', 'as src/main.ts, src/main.ts:12 or src/main.ts:10-20']],
    options: [['--session <session>', 'only this one']],
    examples: ['reprise blame src/main.ts', 'reprise blame src/main.ts:12'],
    load: () => import('./commands/blame.ts'),
  },
  {
    name: 'config',
    summary: 'Show or change the configuration: who answers, permissions, hooks, servers',
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
      'environment.pass names variables that commands, hooks and tool servers are given although they look secret.',
      'Keys do not belong in the file: model.apiKeyEnv names the environment variable that holds one. OPENAI_API_KEY and ANTHROPIC_API_KEY go to the hosts of their providers by themselves; another model.baseUrl is sent a key only where model.apiKeyEnv is set.',
      'What is secret by its name or its shape is shown as set, and not what it is: tokens in headers, in env, in args, logins in addresses.',
      "github.mcp read (or all) gives the model the tools of GitHub's own server, with the token of GITHUB_TOKEN or GH_TOKEN.",
      'REPRISE_AGENT and REPRISE_MODEL go before the file; OPENAI_BASE_URL and ANTHROPIC_BASE_URL are the address when it has none.',
      'A hook is a command that is given JSON on stdin and may answer {"deny": true, "reason": "…", "note": "…"}; one of sessionStart also {"prompts": ["…"]}: messages that are sent after the first one of a new session.',
      'Nothing in a repository or a session is ever read as configuration.',
    ],
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'agents',
    summary: 'List the coding agents that are on this machine, and what each can do',
    examples: ['reprise agents', "reprise agents --json | jq '.agents[].name'"],
    notes: [
      'Each agent that is found is started for a moment, to ask it. Nothing is sent to a model.',
    ],
    load: () => import('./commands/agents.ts'),
  },
  {
    name: 'debug bundle',
    summary:
      'Write an archive for a report of a problem: versions, settings, diagnostics, no content',
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
    summary: 'Say where sessions live and how much there is',
    examples: ['reprise home', 'reprise home --json'],
    load: () => import('./commands/home.ts'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell',
    arguments: [['<shell>', 'bash, zsh or fish']],
    examples: [
      'eval "$(reprise completion bash)"',
      'reprise completion fish > ~/.config/fish/completions/reprise.fish',
    ],
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'help',
    summary: 'Print help for a command',
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

export const program: Program = { root, groups, commands, common }
