/** What can be chosen in the agent of a session, as the agent itself names it; recorded when a person chooses. */
import type { AgentOption, AgentOptions, OptionChoice } from '../agent.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { modeOf, type LiveSession } from '../live/live-session.ts'
import { setMode, setModel } from '../live/session-settings.ts'
import { commitOrWait, stateWithUnwritten } from '../live/pending-events.ts'
import { answering } from './resolve-agent.ts'
import { betweenTurns } from './start-agent.ts'

/** Undefined for an agent that has none of its own, or has not come up in this session. */
export const agentOptions = async (
  engine: EngineContext,
  session: LiveSession,
): Promise<AgentOptions | undefined> => (await answering(engine, session)).options?.(session.id)

export async function setAgentOption(
  engine: EngineContext,
  session: LiveSession,
  choice: OptionChoice,
  signal: AbortSignal,
): Promise<void> {
  const agent = await answering(engine, session)
  if (agent.setOption === undefined)
    throw new EngineError(
      'invalid',
      `${agent.name} has no options of its own. Nothing was changed.`,
    )
  await agent.start?.(await betweenTurns(engine, session), signal)
  const option = agent.options?.(session.id)?.options.find(({ id }) => id === choice.id)
  if (option === undefined || !fits(option, choice.value))
    throw new EngineError('invalid', refusalOf(agent.name, option, choice))
  if (option.value === choice.value) return
  await agent.setOption(await betweenTurns(engine, session), choice, signal)
  const { value } = choice
  if (option.category === 'model' && typeof value === 'string')
    await setModel(engine, session, { model: value })
  if (option.category === 'thought_level') await followEffort(engine, session, String(value))
  if (option.category === 'mode') await followMode(engine, session, String(value))
  await commitOrWait(engine, session, {
    type: 'session.info',
    data: {
      infoType: 'agent_option',
      message: `${agent.name}: ${option.name} is ${nameOf(option, value)} from here on.`,
      reprise: { option: { id: option.id, value } },
    },
  })
}

/** Its plan mode is ours, too: what is refused in it does not depend on who began it. */
async function followMode(
  engine: EngineContext,
  session: LiveSession,
  value: string,
): Promise<void> {
  const isPlan = /(^|[^a-z])plan$/i.test(value)
  if (isPlan) await setMode(engine, session, 'plan')
  else if (modeOf(session) === 'plan') await setMode(engine, session, 'interactive')
}

/** What was chosen last counts, when the agent comes up again too. */
async function followEffort(
  engine: EngineContext,
  session: LiveSession,
  reasoningEffort: string,
): Promise<void> {
  const { model } = stateWithUnwritten(session)
  if (model !== undefined) await setModel(engine, session, { model, reasoningEffort })
}

const fits = ({ values }: AgentOption, value: string | boolean): boolean =>
  values === undefined ? typeof value === 'boolean' : values.some((each) => each.value === value)

const nameOf = ({ values }: AgentOption, value: string | boolean): string =>
  values === undefined
    ? value === true
      ? 'on'
      : 'off'
    : (values.find((each) => each.value === value)?.name ?? String(value))

function refusalOf(
  name: string,
  option: AgentOption | undefined,
  { id, value }: OptionChoice,
): string {
  if (option === undefined) return `${name} has no option "${id}". Nothing was changed.`
  const values = option.values?.map((each) => each.value).slice(0, 20) ?? ['true', 'false']
  return `"${String(value)}" is no value of ${option.name}: there are ${values.join(', ')}. Nothing was changed.`
}
