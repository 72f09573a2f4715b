/** The options of what serves programs and pages, each list once: for its command, its types and the start by a flag. */
import { sandboxOption } from './copilot-options.ts'
import { wholeFrom, type Option } from './option.ts'

const port = wholeFrom(0, 65_535)

export const acpOptions = [
  ['--port <n>', 'on a port of this machine instead, with a token', port],
  ['--agent <agent>', 'who answers: a name, or the command of another ACP agent to wrap'],
  ['--model <model>', 'the model to ask'],
  ['--allow-all', 'allow everything that the agent wants to do, without asking the editor'],
  sandboxOption,
] as const satisfies readonly Option[]

export const webOptions = [
  ['--port <n>', 'the port (default: 7373)', port],
  ['--host <host>', 'the address to bind; anything but this machine needs TLS and --allow-remote'],
  ['--agent <agent>', 'who answers what the page sends'],
  sandboxOption,
  ['--model <model>', 'the model to ask'],
  ['--name <host>...', 'another name by which browsers reach it; may be given again'],
  ['--tls-cert <file>', 'the certificate, with --tls-key'],
  ['--tls-key <file>', 'its key'],
  ['--allow-remote', 'serve other machines too'],
  ['--no-open', 'do not open the browser'],
  ['--link', 'print a fresh link of the server that runs, with a QR code, and end'],
  ['--guest <session>', 'print a link too with which others watch this session, read-only'],
  ['--end-guests', 'end all links for guests that were made before'],
] as const satisfies readonly Option[]

export const workerOptions = [
  ['--pool <name>', 'takes tasks that are for this pool (default: those that are for none)'],
  ['--slots <n>', 'how many at once (default: 1)', wholeFrom(1, 100)],
  ['--projects <dir>', 'where repositories and work trees lie (default: reprise-tasks, here)'],
  ['--agent <agent>', 'who answers: a name, or the command of an agent'],
  ['--model <model>', 'the model to ask'],
  ['--allow-all', 'allow everything that the agent wants to do, without asking anybody'],
  sandboxOption,
] as const satisfies readonly Option[]

export const exportOptions = [
  ['--html', 'one page that needs nothing else (the default)'],
  ['--markdown', 'as Markdown'],
  [
    '--to <agent>',
    'for another agent to go on with: copilot, opencode (a file for its import), claude, codex (a new session of theirs)',
  ],
  [
    '-o, --output <file>',
    'where to, - for stdout (default: stdout; HTML on a terminal: a file here, its name is told)',
  ],
] as const satisfies readonly Option[]

/** The options of `reprise` itself, with --server, --headless, --ui-server or --acp. */
export const servingOptions = [
  ['--server', 'serve programs by JSON-RPC over TCP, on the loopback'],
  ['--headless', 'the same, as the Copilot SDK starts it'],
  ['--ui-server', 'serve the page for browsers, as "reprise web" does'],
  ['--acp', 'serve an editor over the Agent Client Protocol, as "reprise acp" does'],
  ['--stdio', 'serve one program by stdin and stdout; --acp does so without it'],
  ['--port <n>', 'the port (default: any that is free; 7373 for the page)', port],
  ['--host <address>', 'listen elsewhere than on the loopback; needs --allow-remote'],
  ['--allow-remote', 'serve other machines too, by JSON-RPC in clear text'],
  ['--no-open', 'with --ui-server: do not open the browser'],
  [
    '--session-idle-timeout <seconds>',
    'with --server: close sessions that nobody uses',
    wholeFrom(0, 2 ** 31),
  ],
  ['--auth-token-env <name>', 'with --server: a variable that no tool is given'],
  ['--no-auto-login', 'with --server: always so here'],
] as const satisfies readonly Option[]
