/** Who answers and what it may do: /model, /agent, /mode, /permissions, /compact, /context, /usage. */
import type { Mode } from '../../../engine/live/settings.ts'
import { defined } from '../../../lib/defined.ts'
import { count } from '../view/text.ts'
import { contextText } from './context-text.ts'
import { inSession } from './command.ts'
import type { Command, CommandHost } from './command.ts'

async function model(host: CommandHost, rest: string): Promise<void> {
  const id = await host.live()
  const { model: now } = await (await host.engine.open(id)).state()
  const wanted =
    rest === ''
      ? await host.ask(`The model to ask${now === undefined ? '' : `, instead of ${now}`}`)
      : rest
  if (wanted === undefined || wanted.trim() === '') return
  const [name = '', reasoningEffort] = wanted.trim().split(/\s+/)
  await (
    await host.engine.open(id)
  ).setModel({
    model: name,
    ...defined({ reasoningEffort }),
  })
  host.say(`From here on ${name} is asked.`, 'good')
  await host.refresh()
}

const modes: readonly (readonly [Mode, string])[] = [
  ['interactive', 'ask before anything is changed'],
  ['plan', 'think and write a plan, change nothing'],
  ['autopilot', 'go on until the task is done'],
]

async function mode(host: CommandHost, rest: string): Promise<void> {
  const id = await host.live()
  const known = modes.find(([each]) => each === rest)?.[0]
  const wanted =
    known ??
    (await host.choose(
      'Mode',
      modes.map(([value, detail]) => ({ label: value, detail, value })),
    ))
  if (wanted === undefined) return
  await (await host.engine.open(id)).setMode(wanted)
  host.say(`Mode: ${wanted}.`, 'good')
  await host.refresh()
}

async function permissions(host: CommandHost, rest: string): Promise<void> {
  if (rest === 'allow-all' || rest === 'ask') host.permissions.allowAll = rest === 'allow-all'
  else if (rest !== '')
    return host.say(`/permissions knows allow-all and ask, not "${rest}".`, 'bad')
  host.say(
    host.permissions.allowAll
      ? 'Everything is allowed until you leave. /permissions ask asks again.'
      : 'You are asked before anything is run or written. /permissions allow-all allows everything until you leave; ' +
          'rules that stay: reprise config.',
  )
}

async function agent(host: CommandHost, rest: string): Promise<void> {
  const id = await host.live()
  const wanted =
    rest !== ''
      ? rest
      : await host.choose(
          'Who answers from here on?',
          host.agents
            .list()
            .map(({ name, about }) => ({ label: name, detail: about, value: name })),
        )
  if (wanted === undefined) return
  await (await host.engine.open(id)).setAgent(await host.agents.make(wanted))
  // Where something was said the log tells it.
  if (host.session() === undefined) host.say(`${wanted} answers.`, 'good')
  await host.refresh()
}

const compact = inSession(async (host, id, instructions) => {
  host.say('Compacting…', 'faint')
  const done = await (
    await host.engine.open(id)
  ).compact(instructions === '' ? {} : { instructions })
  host.say(
    `Compacted: ${count(done.tokensBefore)} → ${count(done.tokensAfter)} tokens, checkpoint ${done.checkpointNumber}.`,
    'good',
  )
})

const context = inSession(async (host, id) => {
  const parts = await (await host.engine.open(id)).contextParts()
  const of = parts.window === undefined ? '' : ` of ${count(parts.window)}`
  host.page(`Context: about ${count(parts.total)}${of} tokens`, contextText(parts))
})

const usage = inSession(async (host, id) => {
  const { usage: used } = await (await host.engine.open(id)).state()
  const rows = used.models.map(
    (each) =>
      `| ${each.model.replaceAll('|', '')} | ${each.requests} | ${count(each.inputTokens)} | ${count(each.outputTokens)} | ${count(each.cacheReadTokens)} | ${each.cost} |`,
  )
  if (rows.length === 0) return host.say('No model was asked in this session.', 'faint')
  host.page(
    'Usage',
    ['| model | requests | in | out | cached | cost |', '|---|---|---|---|---|---|', ...rows].join(
      '\n',
    ),
  )
})

export const agentCommands: readonly Command[] = [
  {
    name: 'compact',
    arguments: '[instructions]',
    help: 'summarise what was said, to make room',
    run: compact,
  },
  { name: 'context', help: 'what fills the window of the model', run: context },
  { name: 'model', arguments: '[name]', help: 'ask another model', run: model },
  {
    name: 'agent',
    arguments: '[name]',
    help: 'have another agent answer; it is given what was said',
    run: agent,
  },
  { name: 'mode', arguments: '[mode]', help: 'how the agent works', words: modes, run: mode },
  {
    name: 'permissions',
    arguments: '[word]',
    help: 'what is asked before it is done',
    words: [
      ['ask', 'ask before anything is run or written'],
      ['allow-all', 'allow everything until you leave'],
    ],
    run: permissions,
  },
  { name: 'usage', help: 'tokens and requests of this session', run: usage },
]
