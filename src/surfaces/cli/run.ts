/**
 * From the command line to an exit code: parses, runs one command, tells what failed. Whatever happens,
 * the engine is stopped in an orderly way, so nothing stays locked and nothing queued is lost.
 */
import type { PermissionPolicy } from '../../engine/agent.ts'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import { program } from './command-table.ts'
import type { Cli, Command, Given, Host } from './command.ts'
import type { copilotOptions } from './copilot-options.ts'
import { OK } from './exit-codes.ts'
import { applyToEnvironment } from './environment.ts'
import { tellFailure } from './failure.ts'
import { listenForInterrupts } from './interrupts.ts'
import { createOutput, type Output } from './output.ts'
import { parse, type Line } from './parse.ts'
import { unusedHere } from './root-flags.ts'
import { yellow } from './render/span.ts'
import { defined } from '../../lib/defined.ts'
import type { Store } from '../../store/store.ts'

export async function runCli(host: Host): Promise<number> {
  let out = createOutput(host.stdout, host.stderr, host.env)
  try {
    const line = await parse(program, host.argv)
    if (line.kind !== 'run') return await tell(host, out, line)
    applyToEnvironment(host.env, line.given)
    out = createOutput(host.stdout, host.stderr, host.env)
    const unused = [...line.unused, ...unusedHere(line.given)]
    if (unused.length > 0) out.note(yellow('not used here: '), unused.join(', '))
    return await runCommand(host, out, line.command, line.given)
  } catch (error) {
    return tellFailure(out, error, { json: host.argv.includes('--json') })
  } finally {
    await out.drained()
  }
}

async function tell(
  host: Host,
  out: Output,
  line: Exclude<Line, { kind: 'run' }>,
): Promise<number> {
  if (line.kind === 'version') out.line(host.version)
  else {
    const { helpFor } = await import('./help.ts')
    out.block(await helpFor(program, line.subject, out.columns))
  }
  return OK
}

async function runCommand(
  host: Host,
  out: Output,
  command: Command,
  given: Given,
): Promise<number> {
  const { run, isServer = false } = await command.load(given)
  using interrupts = listenForInterrupts(host)
  let engine: Promise<Engine> | undefined
  let store: Promise<Store> | undefined
  const home = host.findHome(given.text('home'))
  const cwd = directoryOf(host, given.text('cwd'))
  if (!isServer) host.keepDiagnostics(home)
  const canAsk = host.stderr.isTTY === true && host.stdin.isTTY === true
  const tellTrouble = (message: string) => out.note(yellow(message))
  const cli: Cli = {
    host,
    program,
    out,
    home,
    cwd,
    json: given.flag('json'),
    signal: interrupts.signal,
    now: () => new Date(),
    canAsk,
    engine: (policy) =>
      (engine ??= host.openEngine({
        home: home.path,
        cwd,
        policy: policy ?? deny,
        isUnattended: !canAsk && !given.flag('allowAll'),
        isHeadless: given.text('prompt') !== undefined,
        answersQuestions: canAsk && !given.flag('noAskUser'),
        launch: given.all<typeof copilotOptions>(),
        onTrouble: tellTrouble,
        ...defined({ agent: given.text('agent'), model: given.text('model') }),
      })),
    store: () =>
      (store ??= host.openStore({
        home: home.path,
        onTrouble: tellTrouble,
      })),
  }
  try {
    if (isServer) (await host.unknownSettings(home.path)).forEach(tellTrouble)
    const done = run(cli, given)
    if (isServer) return (await done) ?? OK
    const code = command.endsItself ? await done : await Promise.race([done, interrupts.raised])
    return interrupts.code ?? code ?? OK
  } catch (error) {
    if (interrupts.code !== undefined) return interrupts.code
    throw error
  } finally {
    // What could not be opened has nothing to close, and the command was told why.
    await (await engine?.catch(() => undefined))?.stop()
    await (await store?.catch(() => undefined))?.close() // likewise
  }
}

/** It is handed on as a value: the process itself stays where it is. */
function directoryOf(host: Host, given: string | undefined): string {
  const found = host.findDirectory(given)
  if (found !== undefined) return found
  throw new EngineError('invalid', `--cwd: there is no directory "${given}". Nothing was changed.`)
}

const deny: PermissionPolicy = () => ({ kind: 'deny', by: 'nobody' })
