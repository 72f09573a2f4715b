/** Who shall answer: everything that is here or could be, as a list; the one that is taken is tried with one request. */
import type { AgentOption, AgentsToConnect } from '../../../commands/command.ts'
import { agent } from '../../../commands/settings.ts'
import { errorText } from '../../../lib/error-text.ts'
import type { CommandHost } from './command.ts'
import { resultOf } from './show-result.ts'

/** The name that was taken; undefined when the person leaves, or it did not answer. */
export async function chooseAgent(
  host: CommandHost,
  how: 'asked' | 'unasked' = 'asked',
): Promise<string | undefined> {
  const { agents } = host
  const choices = (await agents.find()).map((option) => ({
    label: option.name,
    detail: option.about,
    value: option,
  }))
  const taken =
    how === 'asked'
      ? await host.choose('Who answers from here on?', choices)
      : await host.offer('Who shall answer? (/agent asks again)', choices)
  if (taken === undefined) return undefined
  if (!taken.isHere) {
    host.say(`${taken.name} is ${taken.about}. Then type /agent.`, 'plain')
    return undefined
  }
  const name = await withModel(host, taken)
  return name !== undefined && (await answers(host, agents, name)) ? name : undefined
}

async function withModel(
  host: CommandHost,
  { name, models = [] }: AgentOption,
): Promise<string | undefined> {
  if (models.length < 2) return name
  const model = await host.choose(
    `Which model of ${name}?`,
    models.map((each) => ({ label: each, value: each })),
  )
  return model === undefined ? undefined : `${name}/${model}`
}

async function answers(host: CommandHost, agents: AgentsToConnect, name: string): Promise<boolean> {
  host.working(`asking ${name} for a first word`)
  try {
    const words = await agents.test(name)
    if (words !== '') host.say(words, 'good')
    return true
  } catch (error) {
    host.say(`${errorText(error)} Nothing was changed; /agent chooses another one.`, 'bad')
    return false
  } finally {
    host.working(undefined)
  }
}

/** Nothing is configured and the user is here for the first time: the agent is chosen once and remembered. */
export async function firstRun(host: CommandHost): Promise<void> {
  const { agents } = host
  const name = await chooseAgent(host, 'unasked')
  if (name === undefined) return
  await agents.remember(name)
  await resultOf(host, agent, { name })
  await host.answersNow(name, { inAll: true })
  host.say(
    `${name} answers, here and in new sessions. "reprise config" shows and changes it.`,
    'good',
  )
}
