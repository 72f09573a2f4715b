/**
 * From the command line to an exit code: parses, runs one command, tells what failed. Whatever happens,
 * the engine is stopped in an orderly way, so nothing stays locked and nothing queued is lost.
 */
import { CommanderError } from 'commander'
import type { PermissionPolicy } from '../../engine/agent.ts'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import { usage } from './command.ts'
import type { Cli, Command, Given, Host } from './command.ts'
import { OK } from './exit-codes.ts'
import { tellFailure } from './failure.ts'
import { listenForInterrupts } from './interrupts.ts'
import { createOutput } from './output.ts'
import type { Output } from './output.ts'
import { parse } from './program.ts'
import { yellow } from './render/span.ts'
import { defined } from '../../lib/defined.ts'
import type { Store } from '../../store/store.ts'

export async function runCli(host: Host): Promise<number> {
  const out = createOutput(host.stdout, host.stderr, host.env)
  try {
    const parsed = parse(host.argv, { version: host.version, write: (text) => out.block(text) })
    if (parsed === undefined) return OK
    return await runCommand(host, out, parsed.command, parsed.given)
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return OK
    return tellFailure(out, withHint(error), { json: host.argv.includes('--json') })
  } finally {
    await out.drained()
  }
}

async function runCommand(
  host: Host,
  out: Output,
  command: Command,
  given: Given,
): Promise<number> {
  using interrupts = listenForInterrupts(host)
  let engine: Promise<Engine> | undefined
  let store: Promise<Store> | undefined
  const home = host.findHome(given.text('home'))
  const canAsk = host.stderr.isTTY === true && host.stdin.isTTY === true
  const cli: Cli = {
    host,
    out,
    home,
    cwd: enter(given.text('cwd')),
    json: given.flag('json'),
    signal: interrupts.signal,
    now: () => new Date(),
    canAsk,
    engine: (policy = deny) =>
      (engine ??= host.openEngine({
        home: home.path,
        policy,
        answersQuestions: canAsk,
        ...chosen(given),
      })),
    store: () =>
      (store ??= host.openStore({
        home: home.path,
        onTrouble: (message) => out.note(yellow(message)),
      })),
  }
  try {
    const { run } = await command.load()
    const done = run(cli, given)
    const code = command.endsItself ? await done : await Promise.race([done, interrupts.raised])
    return interrupts.code ?? code ?? OK
  } catch (error) {
    if (interrupts.code !== undefined) return interrupts.code
    throw error
  } finally {
    await (await engine?.catch(() => undefined))?.stop()
    await (await store?.catch(() => undefined))?.close()
  }
}

/** Relative paths, and the project, follow from where the program is. */
function enter(cwd: string | undefined): string {
  if (cwd === undefined) return process.cwd()
  try {
    process.chdir(cwd)
  } catch (cause) {
    throw new EngineError(
      'invalid',
      `--cwd: there is no directory "${cwd}". Nothing was changed.`,
      { cause },
    )
  }
  return process.cwd()
}

function chosen(given: Given): { agent?: string; model?: string } {
  const [agent, model] = [given.text('agent'), given.text('model')]
  return { ...defined({ agent, model }) }
}

const deny: PermissionPolicy = () => ({ kind: 'deny', by: 'nobody' })

function withHint(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error
  if (error.code === 'commander.help')
    return usage('A command is missing. "reprise --help" and "reprise sessions --help" list them.')
  if (error.code !== 'commander.unknownCommand') return error
  return usage(
    `${error.message.replace(/^error: u/, 'U')}\n` +
      '"reprise --help" lists the commands; "reprise -p <text>" sends a message.',
  )
}
