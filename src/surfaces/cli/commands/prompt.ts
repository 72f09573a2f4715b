/** `reprise` itself: opens the terminal, or chooses or makes a session, sends one message, prints the answer. */
import { basename, resolve } from 'node:path'
import type { Engine } from '../../../engine/engine.ts'
import type { SessionId } from '../../../format/ids.ts'
import { readAll } from '../ask.ts'
import { usage, type Cli, type Given, type Run } from '../command.ts'
import { chooseSession, setMode } from '../choose-session.ts'
import type { copilotOptions } from '../copilot-options.ts'
import { NOT_ALLOWED, OK, TURN_FAILED, exitCodes } from '../exit-codes.ts'
import { permission } from '../permission.ts'
import { showEvents } from '../show-turn.ts'
import { showStart } from '../start-screen.ts'
import { openTerminal } from '../terminal.ts'
import { takeTurn } from '../turn.ts'
import { dim } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const isPlain = given.flag('plain') && !cli.json
  const isOpened = given.has('interactive') || isPlain
  const prompt = isOpened ? undefined : await readPrompt(cli, given)
  if (prompt === undefined) {
    const isScreen = cli.out.isTerminal && !cli.json
    if (isOpened && !isScreen && !given.flag('plain'))
      throw usage('-i opens the terminal, and there is none. Give -p, or --plain with it.')
    return isScreen || isOpened ? openTerminal(cli, given) : showStart(cli, given)
  }
  const slash = prompt.startsWith('/') ? await import('../slash.ts') : undefined
  const typed = slash?.readPrompt(prompt)
  if (typed !== undefined && 'command' in typed) return slash?.runSlash(cli, given, typed)
  const permit = permission(cli, { allowAll: given.flag('allowAll') })
  const engine = await cli.engine(permit.policy)
  const { id, after } = await chooseSession(cli, engine, given)
  await setMode(engine, id, given)
  const seconds = given.whole('wait', 0)
  const outcome = await takeTurn(cli, engine, {
    id,
    after,
    prompt: (await slash?.messageIn(cli, await engine.open(id), prompt)) ?? prompt,
    attachments: attachmentsIn(cli, given),
    waitMs: seconds === undefined ? undefined : seconds * 1000,
    permission: permit,
    show: showEvents(cli, {
      notices: ['on', true].includes(given.optional('stream') ?? ''),
      isSilent: given.flag('silent'),
    }),
  })
  await share(cli, engine, id, given)
  if (cli.canAsk && !cli.json && !given.flag('silent')) {
    cli.out.note(
      dim(`session ${id.slice(0, 8)} · reprise --resume ${id.slice(0, 8)} -p "…" goes on with it`),
    )
  }
  if (outcome.status === 'cancelled') return exitCodes.cancelled
  if (outcome.status === 'failed') return TURN_FAILED
  return permit.refused ? NOT_ALLOWED : OK
}

/** As the agent finds them; what is no file is told before anything is sent. */
const attachmentsIn = ({ cwd }: Cli, given: Given) =>
  given.all<typeof copilotOptions>().attachment?.map((path) => ({
    type: 'file' as const,
    path: resolve(cwd, path),
    displayName: basename(path),
  }))

async function share(cli: Cli, engine: Engine, id: SessionId, given: Given): Promise<void> {
  const path = given.optional('share')
  if (path === undefined) return
  const file = resolve(cli.cwd, path === true ? `reprise-session-${id}.md` : path)
  await cli.host.exportSession(engine, { id, format: 'markdown', file })
  cli.out.note(dim(`shared in ${file}`))
}

/** Undefined when there is neither a prompt nor anything on stdin that could be one; with --plain its lines are messages. */
async function readPrompt(cli: Cli, given: Given): Promise<string | undefined> {
  const text = given.text('prompt')
  const isPiped = cli.host.stdin.isTTY !== true
  if (text !== undefined && text !== '-') return text
  if (text === undefined && !isPiped) return undefined
  const piped = await readAll(cli.host.stdin, cli.signal)
  if (piped.trim() !== '') return piped
  throw usage('There is nothing to send: stdin is empty. Give the message with -p "<text>".')
}
