/** Who answers and what it may do: /model, /agent, /mode, /permissions, /compact, /context, /usage. */
import type { Mode } from '../../../engine/live/settings.ts'
import { defined } from '../../../lib/defined.ts'
import { count } from '../view/text.ts'
import { contextText } from './context-text.ts'
import { inSession } from './command.ts'
import type { Command, Desk } from './command.ts'

async function model(desk: Desk, rest: string): Promise<void> {
  const id = await desk.live()
  const { model: now } = await (await desk.engine.open(id)).state()
  const wanted =
    rest === ''
      ? await desk.ask(`The model to ask${now === undefined ? '' : `, instead of ${now}`}`)
      : rest
  if (wanted === undefined || wanted.trim() === '') return
  const [name = '', reasoningEffort] = wanted.trim().split(/\s+/)
  await (
    await desk.engine.open(id)
  ).setModel({
    model: name,
    ...defined({ reasoningEffort }),
  })
  desk.say(`From here on ${name} is asked.`, 'good')
  await desk.refresh()
}

const modes: readonly (readonly [Mode, string])[] = [
  ['interactive', 'ask before anything is changed'],
  ['plan', 'think and write a plan, change nothing'],
  ['autopilot', 'go on until the task is done'],
]

async function mode(desk: Desk, rest: string): Promise<void> {
  const id = await desk.live()
  const known = modes.find(([each]) => each === rest)?.[0]
  const wanted =
    known ??
    (await desk.choose(
      'Mode',
      modes.map(([value, detail]) => ({ label: value, detail, value })),
    ))
  if (wanted === undefined) return
  await (await desk.engine.open(id)).setMode(wanted)
  desk.say(`Mode: ${wanted}.`, 'good')
  await desk.refresh()
}

async function permissions(desk: Desk, rest: string): Promise<void> {
  if (rest === 'allow-all' || rest === 'ask') desk.permissions.allowAll = rest === 'allow-all'
  else if (rest !== '')
    return desk.say(`/permissions knows allow-all and ask, not "${rest}".`, 'bad')
  desk.say(
    desk.permissions.allowAll
      ? 'Everything is allowed until you leave. /permissions ask asks again.'
      : 'You are asked before anything is run or written. /permissions allow-all allows everything until you leave; ' +
          'rules that stay: reprise config.',
  )
}

async function agent(desk: Desk, rest: string): Promise<void> {
  const id = await desk.live()
  const wanted =
    rest !== ''
      ? rest
      : await desk.choose(
          'Who answers from here on?',
          desk.agents
            .list()
            .map(({ name, about }) => ({ label: name, detail: about, value: name })),
        )
  if (wanted === undefined) return
  await (await desk.engine.open(id)).setAgent(await desk.agents.make(wanted))
  // Where something was said the log tells it.
  if (desk.session() === undefined) desk.say(`${wanted} answers.`, 'good')
  await desk.refresh()
}

const compact = inSession(async (desk, id, instructions) => {
  desk.say('Compacting…', 'faint')
  const done = await (
    await desk.engine.open(id)
  ).compact(instructions === '' ? {} : { instructions })
  desk.say(
    `Compacted: ${count(done.tokensBefore)} → ${count(done.tokensAfter)} tokens, checkpoint ${done.checkpointNumber}.`,
    'good',
  )
})

const context = inSession(async (desk, id) => {
  const parts = await (await desk.engine.open(id)).contextParts()
  const of = parts.window === undefined ? '' : ` of ${count(parts.window)}`
  desk.page(`Context: about ${count(parts.total)}${of} tokens`, contextText(parts))
})

const usage = inSession(async (desk, id) => {
  const { usage: used } = await (await desk.engine.open(id)).state()
  const rows = used.models.map(
    (each) =>
      `| ${each.model.replaceAll('|', '')} | ${each.requests} | ${count(each.inputTokens)} | ${count(each.outputTokens)} | ${count(each.cacheReadTokens)} | ${each.cost} |`,
  )
  if (rows.length === 0) return desk.say('No model was asked in this session.', 'faint')
  desk.page(
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
