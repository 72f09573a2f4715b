/**
 * The launch options of the Copilot CLI, so that scripts and programs written for it start this one. Those that mean
 * something here do it; those that protect or limit and cannot be done are refused; the others are taken, and a warning
 * names them.
 */
import type { RemoteMode } from '../../engine/remote-control.ts'
import { oneOf, wholeFrom, type Option, type OptionsOf } from './option.ts'

const onOff = oneOf('on', 'off')

export const copilotOptions = [
  ['-i, --interactive <prompt>', 'open the terminal, and send this message first'],
  ['-s, --silent', 'with -p: only the answer, nothing of what the agent does meanwhile'],
  ['-v', 'as --version', { as: 'version' }],
  ['--session-id <id>', 'as --resume with this id', { as: 'resume' }],
  [
    '--allow-all-tools',
    'allow every tool, but for paths outside of the project and addresses, which are asked for',
  ],
  ['--yolo', 'as --allow-all', { as: 'allowAll' }],
  ['--allow-tool [tools...]', 'allow these: shell(git:*), write, url(host), a server(tool)'],
  ['--deny-tool [tools...]', 'refuse these, whatever else is allowed'],
  ['--allow-url [urls...]', 'allow these addresses or hosts'],
  ['--deny-url [urls...]', 'refuse these addresses or hosts'],
  ['--allow-all-urls', 'allow every address'],
  [
    '--allow-all-paths',
    'allow reading outside of the project; with --allow-all-tools, everything there',
  ],
  [
    '--add-dir <directory>...',
    'allow reading in this directory too; with --allow-all-tools, everything there',
  ],
  ['--disallow-temp-dir', 'with --allow-all-tools: the temporary directory is outside too'],
  ['--available-tools [tools...]', 'of our own tools, only these are offered to a model'],
  ['--excluded-tools [tools...]', 'these tools are not offered to a model'],
  [
    '--additional-mcp-config <json>...',
    'more MCP servers for a model, as JSON or @file, beside those of the configuration',
  ],
  ['--disable-mcp-server <name>...', 'leave out this MCP server'],
  ['--disable-builtin-mcps', "without GitHub's server, which github.mcp turns on"],
  ['--no-custom-instructions', 'do not give AGENTS.md and its like to a model'],
  ['--no-ask-user', 'the agent asks no questions'],
  [
    '--reasoning-effort <level>',
    'how long a model may think',
    oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
  ],
  [
    '--mode <mode>',
    'the mode of the session: interactive, plan or autopilot',
    oneOf('interactive', 'plan', 'autopilot'),
  ],
  ['--plan', 'as --mode plan', { as: 'mode', is: 'plan' }],
  ['--autopilot', 'as --mode autopilot', { as: 'mode', is: 'autopilot' }],
  [
    '--max-autopilot-continues <count>',
    'how often a model is asked to go on in autopilot, in one turn (default: 19)',
    wholeFrom(0, 1_000_000),
  ],
  [
    '--output-format <format>',
    'text, or json for --json',
    { as: 'json', wants: 'one of text, json', read: (text) => FORMATS[text] },
  ],
  ['--share [path]', 'with -p: write the session as Markdown when it has answered'],
  ['--attachment <path>...', 'with -p: a file that goes with the message'],
  ['--banner', 'always so here: a new session is greeted'],
  ['--screen-reader', 'as --plain', { as: 'plain' }],
  ['--config-dir <directory>', 'as --home', { as: 'home' }],
  ['--no-color', 'no colours'],
  ['--disable-client-telemetry', 'send nothing to a collector, even if one is configured'],
  [
    '--secret-env-vars [vars...]',
    'variables that no program of a session is given, agents included; their values are hidden wherever they would stand',
  ],
  [
    '--bash-env [value]',
    'whether shells read the file of BASH_ENV: on (the default) or off',
    onOff,
  ],
  ['--no-bash-env', 'as --bash-env off', { as: 'bashEnv', is: 'off' }],
  ['--no-remote', 'nobody acts from afar in the sessions of this run, or starts one'],
  [
    '--no-remote-export',
    'nothing of the sessions of this run goes to Mission Control, now or later; with --no-remote too',
  ],
  ['--no-auto-update', 'always so here'],
  ['--no-experimental', 'always so here'],
  ['--no-eager-powershell-resolution', 'always so here'],
] as const satisfies readonly Option[]

/** For every start that may run commands. */
export const sandboxOption = [
  '--sandbox <setting>',
  'run commands in a sandbox of the system: auto (the default, where there is one), on or off',
  oneOf('auto', 'on', 'off'),
] as const satisfies Option

/** What was given of them. */
export type Launch = OptionsOf<typeof copilotOptions> & OptionsOf<readonly [typeof sandboxOption]>

const FORMATS: Readonly<Record<string, boolean>> = { text: false, json: true }

/** What a session of such a start may have of Mission Control at most. */
export const mostRemote = ({ noRemote, noRemoteExport }: Launch): RemoteMode => {
  if (noRemoteExport === true) return 'off'
  return noRemote === true ? 'export' : 'steer'
}

/** They promise a protection that nothing here gives: a start with one of them is refused. */
export const refusedCopilotOptions = [
  [
    '--max-ai-credits <credits>',
    'a limit of its credits',
    { refusal: 'AI credits are not counted here, so nothing would stop at the limit.' },
  ],
  [
    '--assisted-approval',
    'a model that judges permissions',
    {
      refusal:
        'No model judges permissions here. Rules do, with --allow-tool and --deny-tool, or a person.',
    },
  ],
] as const satisfies readonly Option[]

export const unusedCopilotOptions = [
  ['--fleet', 'several agents at once'],
  ['--trust-folder', "the folder's own configuration; none is read here"],
  ['--enable-memory', 'its memory'],
  ['--context <tier>', 'a tier of context windows'],
  ['--auto-tier <preference>', 'how it chooses a model by itself'],
  ['--plain-diff', 'how it draws changes'],
  ['--log-dir <directory>', 'where its logs are; ours are in the home'],
  ['--extension-sdk-path <directory>', 'the SDK of its extensions'],
  ['--share-gist', 'a gist of the session'],
  ['--enable-mcp-server <name>...', 'a server that its settings switch off'],
  ['--enable-all-github-mcp-tools', "GitHub's own server"],
  ['--add-github-mcp-toolset <toolset>...', "GitHub's own server"],
  ['--add-github-mcp-tool <tool>...', "GitHub's own server"],
  ['--mcp-github-auth <server=origin>...', "its account's credential for a server"],
  ['--allow-all-mcp-server-instructions', 'what servers say of themselves'],
  ['--plugin-dir <directory>...', 'its plugins'],
  ['--experimental', 'its experiments'],
  ['--mouse [value]', 'the mouse in the terminal'],
  ['--no-mouse', 'the mouse in the terminal'],
  ['--remote', 'control from GitHub'],
  ['--remote-export', 'a copy at GitHub'],
  ['--environment-host <name>', 'an environment of its Mission Control'],
  ['--environment-compute-id <id>', 'an environment of its Mission Control'],
  ['--dynamic-retrieval <category=on|off>...', 'its retrieval by embeddings'],
  ['--usage-output-file <file>', 'its statistics; "reprise chronicle cost" has ours'],
] as const satisfies readonly Option[]
