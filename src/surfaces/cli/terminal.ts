/** From the command line into the terminal: which session it opens, and who decides what is allowed. */
import type { PermissionPolicy } from '../../engine/agent.ts'
import { EngineError } from '../../engine/errors.ts'
import { defined } from '../../lib/defined.ts'
import { noMissionControl } from '../../commands/find-session.ts'
import { chooseSession, setMode } from './choose-session.ts'
import type { Cli, Given, TerminalOptions } from './command.ts'
import { mostRemote, type copilotOptions } from './copilot-options.ts'

export async function openTerminal(
  cli: Cli,
  given: Given,
  start?: TerminalOptions['start'],
): Promise<void> {
  const permissions = { allowAll: given.flag('allowAll') }
  const policy: PermissionPolicy = (_, { mustAsk }) =>
    permissions.allowAll && mustAsk !== true
      ? { kind: 'allow', by: 'policy', because: { mode: 'allow-all' } }
      : 'ask'
  const engine = await cli.engine(policy)
  await cli.host.openTerminal({
    engine,
    store: cli.store,
    home: cli.home.path,
    cwd: cli.cwd,
    start: start ?? (await chooseStart(cli, given)),
    permissions,
    takesKickstarts: mostRemote(given.all<typeof copilotOptions>()) === 'steer',
    signal: cli.signal,
    isPlain: given.flag('plain'),
    wishes: defined({ agent: given.text('agent'), model: given.text('model') }),
    ...defined({ firstMessage: given.text('interactive') }),
  })
}

/** What is named is found before the screen is taken, so that a wrong name is told as usual. */
async function chooseStart(cli: Cli, given: Given): Promise<TerminalOptions['start']> {
  const [connect, resume] = [given.optional('connect'), given.optional('resume')]
  const isElsewhere = connect !== undefined || given.flag('cloud')
  if (isElsewhere && (await (await cli.engine()).remote?.()) === undefined) throw noMissionControl()
  if (connect === true) return { kind: 'pick', which: 'only' }
  if (given.flag('cloud')) {
    const { id } = await chooseSession(cli, await cli.engine(), given)
    return { kind: 'open', id, isNew: false }
  }
  if (resume === true) return { kind: 'pick' }
  if (connect !== undefined || resume !== undefined || given.flag('continue')) {
    const engine = await cli.engine()
    try {
      const { id, after } = await chooseSession(cli, engine, given)
      await setMode(engine, id, given)
      return { kind: 'open', id, isNew: after === undefined }
    } catch (error) {
      const filter = connect ?? resume
      if (!isAmbiguous(error) || filter === undefined) throw error
      return { kind: 'pick', filter, ...(connect !== undefined && { which: 'only' }) }
    }
  }
  if (given.has('mode')) {
    const engine = await cli.engine()
    const { id } = await chooseSession(cli, engine, given)
    await setMode(engine, id, given)
    return { kind: 'open', id, isNew: true }
  }
  const [name, model] = [given.text('name'), given.text('model')]
  return { kind: 'new', ...defined({ name, model }) }
}

const isAmbiguous = (error: unknown): boolean =>
  error instanceof EngineError && error.code === 'ambiguous'
