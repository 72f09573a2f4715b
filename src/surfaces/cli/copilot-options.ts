/**
 * The launch options of the Copilot CLI, so that scripts and programs written for it start this one. Those that mean
 * something here do it; the others are taken, and a warning names them. None of them ever ends the program.
 */
import { oneOf } from './option.ts'
import type { Option, OptionsOf } from './option.ts'

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
  ['--no-auto-update', 'always so here'],
  ['--no-remote', 'always so here'],
  ['--no-remote-export', 'always so here'],
  ['--no-experimental', 'always so here'],
  ['--no-eager-powershell-resolution', 'always so here'],
] as const satisfies readonly Option[]

/** What was given of them. */
export type Launch = OptionsOf<typeof copilotOptions>

const FORMATS: Readonly<Record<string, boolean>> = { text: false, json: true }

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
  ['--secret-env-vars [vars...]', 'variables that it hides; ours are found by their names'],
  ['--max-autopilot-continues <count>', 'how often autopilot goes on'],
  ['--max-ai-credits <credits>', 'a limit of its credits'],
  ['--experimental', 'its experiments'],
  ['--bash-env [value]', 'BASH_ENV of its shells'],
  ['--no-bash-env', 'BASH_ENV of its shells'],
  ['--mouse [value]', 'the mouse in the terminal'],
  ['--no-mouse', 'the mouse in the terminal'],
  ['--remote', 'control from GitHub'],
  ['--remote-export', 'a copy at GitHub'],
  ['--environment-host <name>', 'an environment of its Mission Control'],
  ['--environment-compute-id <id>', 'an environment of its Mission Control'],
  ['--dynamic-retrieval <category=on|off>...', 'its retrieval by embeddings'],
  ['--assisted-approval', 'its judge of permissions'],
  ['--usage-output-file <file>', 'its statistics; "reprise chronicle cost" has ours'],
] as const satisfies readonly Option[]
