/**
 * Agent by flow: each of the known agents, from npm, behind `reprise acp` with an editor in front. "The model saw" is
 * what was in the requests that reached it. `--write` puts the table into docs/acp.md.
 */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inLanes } from '../../src/lib/map-concurrent.ts'
import { agentNames, openProgram, type AgentName } from './acp-programs.ts'
import { holds, openStage, type Stage } from './agent-stage.ts'
import type { Checks } from './checks.ts'
import { startModel } from './model.ts'
import type { Place } from './place.ts'
import { SECRET, TOOL, startToolServer } from './tool-server.ts'

/** Gives what stands in the table besides the tick; `none` where the agent has nothing to look at. */
type Flow = (stage: Stage) => Promise<string | void>

const none = '–'

/** A command that runs for so many seconds. Claude Code refuses to wait with `sleep`. */
const long = (seconds: number): string => `timeout ${seconds} tail -f /dev/null; echo late`

/** In this order: each goes on where the one before it ended. */
const flows: Readonly<Record<string, Flow>> = {
  'its own modes, models and options reach the editor': async (stage) => {
    const result = await stage.begin()
    const options = result['configOptions'] as { id: string }[]
    assert.ok(options.some(({ id }) => id === 'reprise:mode'))
    return `${options.length - 1}`
  },
  'two turns': async (stage) => {
    await stage.say('FACT-one <<answer A>>')
    await stage.say('FACT-two <<answer B>>')
    assert.equal(stage.facts('two'), 'one two')
  },
  'tokens recorded': async (stage) => {
    const records = (await stage.events()).filter(({ type }) => type === 'session.usage_record')
    const tokens = records.map(({ data }) => (data['usage'] as { inputTokens: number }).inputTokens)
    assert.ok(tokens.length === 2 && tokens.every((count) => count > 0), String(tokens))
  },
  'output of a command recorded and replayed': async (stage) => {
    await stage.say(`Run. ${stage.program.orders.shell('sleep 1; echo SEEN')} <<answer C>>`)
    const end = (await stage.events()).findLast(({ type }) => type === 'tool.execution_complete')
    const content = (end?.data['result'] as { content: string } | undefined)?.content ?? ''
    // It tells no output of commands, to no client.
    if (stage.program.name === 'gemini') return none
    assert.match(content, /SEEN/)
    assert.match(JSON.stringify(await stage.load()), /SEEN/)
  },
  'asks with its own answers; a no holds': async (stage) => {
    stage.answer = 'reject_once'
    const before = stage.asked.length
    await setMode(stage, MODES_THAT_ASK[stage.program.name])
    await stage.say(`Write. ${stage.program.orders.write(join(stage.project, 'no.txt'), 'x')}`)
    stage.answer = 'allow_once'
    if (stage.asked.length === before) return none
    assert.equal(await holds(stage, 'no.txt'), false)
    const options = stage.asked.at(-1)?.['options'] as { optionId: string }[]
    assert.ok(options.every(({ optionId }) => optionId !== 'allow'))
    return `${options.length}`
  },
  'creates a file when it may': async (stage) => {
    await stage.say(`Write. ${stage.program.orders.write(join(stage.project, 'yes.txt'), 'x')}`)
    assert.equal(await holds(stage, 'yes.txt'), true)
  },
  'plan mode changes nothing, and can be left': async (stage) => {
    await setMode(stage, 'plan', 'reprise:mode')
    await stage.say(`Plan. ${stage.program.orders.write(join(stage.project, 'plan.txt'), 'x')}`)
    assert.equal(await holds(stage, 'plan.txt'), false)
    if (stage.program.name === 'claude') await stage.say('<<call ExitPlanMode {"plan":"do"}>>')
    else await setMode(stage, 'interactive', 'reprise:mode')
    await stage.say(`Do. ${stage.program.orders.write(join(stage.project, 'done.txt'), 'x')}`)
    assert.equal(await holds(stage, 'done.txt'), true)
  },
  'closed and reopened: the model saw all': async (stage) => {
    await stage.reopen()
    await stage.load()
    await stage.say('FACT-three <<answer D>>')
    assert.equal(stage.facts('three'), 'one three two')
    return stage.rung()
  },
  'stopped in a tool: the next turn saw all': async (stage) => {
    const turn = stage.say(`FACT-four ${stage.program.orders.shell(long(30))}`)
    await stage.client.until(
      (update) =>
        update.sessionUpdate.startsWith('tool_call') && JSON.stringify(update).includes(long(30)),
    )
    stage.client.notify('session/cancel', { sessionId: stage.sessionId })
    assert.equal((await turn)['stopReason'], 'cancelled')
    await stage.say('FACT-five <<answer E>>')
    assert.equal(stage.facts('five'), 'five four one three two')
  },
  'and reopened after that': async (stage) => {
    await stage.reopen()
    await stage.load()
    await stage.say('FACT-six <<answer F>>')
    assert.equal(stage.facts('six'), 'five four one six three two')
    return stage.rung()
  },
  'undo: the model did not see what was taken back': async (stage) => {
    await stage.say('/undo')
    await stage.say('FACT-seven <<answer G>>')
    assert.equal(stage.facts('seven'), 'five four one seven three two')
    return stage.rung()
  },
  'and reopened after the undo': async (stage) => {
    await stage.reopen()
    await stage.load()
    await stage.say('FACT-eight <<answer H>>')
    assert.equal(stage.facts('eight'), 'eight five four one seven three two')
    return stage.rung()
  },
  'fork: both go on apart': async (stage) => {
    const source = stage.sessionId
    const forked = await stage.client.request<{ sessionId: string }>('session/fork', {
      sessionId: source,
      cwd: stage.project,
      mcpServers: [],
    })
    stage.sessionId = forked.sessionId
    await stage.say('FACT-nine <<answer I>>')
    assert.equal(stage.facts('nine'), 'eight five four nine one seven three two')
    const rung = await stage.rung()
    stage.sessionId = source
    await stage.say('FACT-ten <<answer J>>')
    assert.equal(stage.facts('ten'), 'eight five four one seven ten three two')
    return rung
  },
  'two editors: both see and are asked, the second answers and stops': async (stage) => {
    await using other = await stage.beside()
    const { sessionId } = stage
    const say = (text: string) =>
      other.client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
    await setMode(stage, MODES_THAT_ASK[stage.program.name])
    stage.answer = 'nobody'
    let wasAsked = false
    other.client.answers = {
      'session/request_permission': ({ options }: Asked) => {
        wasAsked = true
        const optionId = options.find(({ kind }) => kind === 'allow_once')?.optionId
        return { outcome: { outcome: 'selected', optionId } }
      },
    }
    const before = stage.asked.length
    await stage.say(`Write. ${stage.program.orders.write(join(stage.project, 'both.txt'), 'x')}`)
    stage.answer = 'allow_once'
    assert.equal(await holds(stage, 'both.txt'), true)
    assert.equal(wasAsked, stage.asked.length > before)
    const turn = stage.say(`Wait. ${stage.program.orders.shell(long(29))}`)
    other.client.answers = {
      'session/request_permission': () => new Promise(() => {}),
    }
    await other.client.until(
      (update) =>
        update.sessionUpdate.startsWith('tool_call') && JSON.stringify(update).includes(long(29)),
    )
    other.client.notify('session/cancel', { sessionId })
    assert.equal((await turn)['stopReason'], 'cancelled')
    await say('FACT-there <<answer THERE>>')
    assert.match(JSON.stringify(stage.client.updates), /THERE/)
    assert.equal(stage.facts('there'), 'eight five four one seven ten there three two')
    await stage.say('FACT-here <<answer HERE>>')
    assert.equal(stage.facts('here'), 'eight five four here one seven ten there three two')
    const rung = await stage.rung()
    return wasAsked ? rung : `${rung}, never asks`
  },
  "a tool server of the editor's over SSE (Codex: HTTP)": async (stage) => {
    await using server = await startToolServer(stage.program.name === 'codex' ? 'http' : 'sse')
    const kept = stage.sessionId
    try {
      await stage.begin([server.entry])
      const isOffered = () => server.uses.listed > 0 && stage.offered(TOOL) !== undefined
      for (let turn = 0; turn < 6 && !isOffered(); turn += 1)
        await stage.say('Look. <<answer LOOKED>>')
      assert.ok(server.uses.listed > 0, 'its tools were not asked for')
      // Some show their model the tools of servers only when it searches for them.
      const tool = stage.offered(TOOL)
      if (tool === undefined) return 'listed'
      await stage.say(`Count. <<call ${tool} {}>>`)
      if (server.uses.called === 0) return 'listed'
      assert.match(stage.lastTold(), new RegExp(SECRET))
      return 'called'
    } finally {
      stage.sessionId = kept
    }
  },
  'agent killed in a tool: the next turn saw all': async (stage) => {
    const turn = stage.say(`Wait. ${stage.program.orders.shell(long(31))}`)
    const failed = assert.rejects(turn, /ended in the middle of its work/)
    failed.catch(() => {}) // awaited below; a check that fails must not end the others
    await stage.client.until(
      (update) =>
        update.sessionUpdate.startsWith('tool_call') && JSON.stringify(update).includes(long(31)),
    )
    await stage.killAgent()
    await failed
    await stage.say('FACT-eleven <<answer K>>')
    assert.equal(stage.facts('eleven'), 'eight eleven five four here one seven ten there three two')
    return stage.rung()
  },
  "agent's home lost: the model saw all": async (stage) => {
    await stage.reopen('fresh')
    await stage.load()
    await stage.say('FACT-twelve <<answer L>>')
    assert.equal(
      stage.facts('twelve'),
      'eight eleven five four here one seven ten there three twelve two',
    )
    return stage.rung()
  },
  'and reopened after that loss': async (stage) => {
    await stage.reopen()
    await stage.load()
    await stage.say('FACT-last <<answer M>>')
    assert.equal(
      stage.facts('last'),
      'eight eleven five four here last one seven ten there three twelve two',
    )
    return stage.rung()
  },
  'what was chosen in it, closed and reopened: still so': async (stage) => {
    const { configOptions } = (await stage.begin()) as { configOptions: Option[] }
    const wanted = CHOICES[stage.program.name]
    const option = configOptions.find(({ id }) => id === wanted)
    assert.ok(option, `no option ${wanted}`)
    const other = option.options.find(({ value }) => value !== option.currentValue)?.value ?? ''
    const isOf = ({ id, category }: Option) => category === 'model' && id !== wanted
    const model = configOptions.find(isOf)
    await setMode(stage, other, wanted)
    // Some put the one back when the other is set.
    if (model !== undefined) await setMode(stage, model.options.at(-1)?.value, model.id)
    await setMode(stage, other, wanted)
    await stage.say('Kept. <<answer K>>')
    await stage.reopen()
    const { sessionId } = stage
    const opened = { sessionId, cwd: stage.project, mcpServers: [] }
    const again = await stage.client.request<{ configOptions: Option[] }>('session/load', opened)
    const now = again.configOptions.find(({ id }) => id === wanted)?.currentValue
    assert.equal(now, other)
    return wanted
  },
  '-p without anybody to ask changes nothing': async (stage) => {
    const order = stage.program.orders.write(join(stage.project, 'alone.txt'), 'x')
    await stage.unattended(`Write. ${order} <<answer N>>`)
    assert.equal(await holds(stage, 'alone.txt'), false)
  },
}

type Option = {
  readonly id: string
  readonly category?: string
  readonly currentValue: string
  readonly options: readonly { readonly value: string }[]
}

/** Of each, an option that no other flow chooses in. */
const CHOICES: Readonly<Record<AgentName, string>> = {
  claude: 'effort',
  codex: 'collaboration_mode',
  copilot: 'allow_all',
  gemini: 'model',
  opencode: 'mode',
  qwen: 'mode',
}

type Asked = { readonly options: readonly { readonly kind: string; readonly optionId: string }[] }

/** In which they ask before they write. */
const MODES_THAT_ASK: Readonly<Partial<Record<AgentName, string>>> = { qwen: 'default' }

async function setMode(stage: Stage, value: string | undefined, configId = 'mode'): Promise<void> {
  if (value === undefined) return
  const { sessionId } = stage
  await stage.client.request('session/set_config_option', { sessionId, configId, value })
}

/** Agents that run side by side: most of the time is theirs to come up. */
const LANES = 3

export async function checkAgentMatrix(checks: Checks, _place: Place): Promise<void> {
  const only = process.argv
    .find((word) => word.startsWith('--agents='))
    ?.slice(9)
    .split(',')
  const names = agentNames.filter((each) => only?.includes(each) ?? true)
  const columns = new Map<AgentName, ReadonlyMap<string, string>>()
  await inLanes(names, LANES, async (name) => {
    const column = await checkOne(checks, name)
    if (column !== undefined) columns.set(name, column)
  })
  const found = names.flatMap((name) => columns.get(name) ?? [])
  const heads = found.map((column) => column.get(HEAD) ?? '')
  const table = [
    ['flow', ...heads],
    ['---', ...heads.map(() => '---')],
    ...Object.keys(flows).map((title) => [title, ...found.map((each) => each.get(title) ?? '')]),
  ]
  if (process.argv.includes('--write')) await write(table)
  else for (const row of table) checks.note(`| ${row.join(' | ')} |`)
}

const HEAD = ''

/** Each with a model of its own, which has seen nothing of the others. */
async function checkOne(
  checks: Checks,
  name: AgentName,
): Promise<ReadonlyMap<string, string> | undefined> {
  await using model = await startModel()
  await using program = await openProgram(name, model)
  if (program === undefined) {
    checks.note(`${name} could not be installed: not checked`)
    return undefined
  }
  await using stage = await openStage(program, model)
  const cells = new Map([[HEAD, `${name} ${program.version}`]])
  for (const [title, flow] of Object.entries(flows)) {
    const known = stage.passedOver.length
    await checks.check(`${name}: ${title}`, async () => {
      cells.set(title, '✗')
      const said = await within(flow(stage))
      cells.set(title, said === none ? none : `✓ ${said ?? ''}`.trim())
    })
    for (const why of stage.passedOver.slice(known)) checks.note(`${name}: ${why}`)
  }
  await checks.check(`${name}: every message to the editor fits the schema`, () =>
    // Notifications of the agent's own are passed on as they are.
    assert.deepEqual(
      stage.client.faults.filter((fault) => !fault.includes('is no method of a client')),
      [],
    ),
  )
  return cells
}

const FLOW_MS = 300_000

async function within<T>(flow: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${FLOW_MS} ms`)), FLOW_MS)
  })
  return Promise.race([flow, late]).finally(() => clearTimeout(timer))
}

/** The columns of agents that were not run now stay as they were, where the flows are the same. */
async function write(rows: readonly (readonly string[])[]): Promise<void> {
  const path = join(import.meta.dirname, '../../docs/acp.md')
  const text = await readFile(path, 'utf8')
  const [start, end] = [
    '<!-- matrix: npm run interop -- "agent by flow" --write -->',
    '<!-- /matrix -->',
  ]
  const [from, to] = [text.indexOf(start) + start.length, text.indexOf(end)]
  const before = text
    .slice(from, to)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const isSame = rows.every(([title], at) => at === 1 || before[at]?.[0] === title)
  const table = isSame ? merged(before, rows) : rows
  const lines = table.map((row) => `| ${row.join(' | ')} |`).join('\n')
  await writeFile(path, `${text.slice(0, from)}\n\n${lines}\n\n${text.slice(to)}`)
}

function merged(
  before: readonly (readonly string[])[],
  rows: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const nameOf = (head: string | undefined) => head?.split(' ', 1)[0]
  const own = (rows[0] ?? []).map(nameOf)
  const heads = [...new Set([...(before[0] ?? []).map(nameOf), ...own])]
  return rows.map((row, at) =>
    heads.map((name, place) => {
      const now = own.indexOf(name)
      return (now === -1 ? before[at]?.[place] : row[now]) ?? ''
    }),
  )
}
