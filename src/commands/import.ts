/** `reprise import`: sessions of other agents, with their tools, in this home. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { SESSIONS } from '../format/paths.ts'
import { AGENT_NAMES, isAgentName, type AgentName } from '../importers/convert/port.ts'
import { addReports, sayLosses } from '../importers/convert/fidelity-report.ts'
import { defined } from '../lib/defined.ts'
import { counted } from '../lib/quantities.ts'
import type { Surroundings } from '../importers/found.ts'
import type { AgentSum, ImportPass } from '../importers/service.ts'
import type { ServiceState } from '../importers/user-service.ts'
import { momentOf } from '../store/time-spec.ts'
import { command, type CommandContext } from './command.ts'
import { code, plain } from './markdown.ts'

export type Imported = ImportPass & {
  readonly dryRun: boolean
  readonly from: readonly AgentName[]
  readonly service?: ServiceState
}

export const importCommand = command({
  name: 'import',
  summary: 'take over sessions of other agents: Claude Code, Codex, Gemini CLI, opencode and more',
  changes: 'sessions',
  on: 'home',
  needs: 'machine',
  args: z.object({
    path: z.string().optional().describe('a folder or file of an agent, in place of what is found'),
    from: z
      .string()
      .optional()
      .describe(`only of these, separated by commas: ${AGENT_NAMES.join(', ')}`),
    since: z.string().optional().describe('only what was changed since: 24h, 7d, 2w, or a date'),
    dryRun: z
      .boolean()
      .optional()
      .describe('only look: say what would come, and what would be lost'),
    again: z.boolean().optional().describe('those that were deleted here, too'),
    watch: z
      .boolean()
      .optional()
      .describe('go on with it whenever something changes, until stopped'),
    service: z
      .enum(['on', 'off'])
      .optional()
      .describe('on or off: the system keeps --watch running for you, also after a restart'),
  }),
  words: ['path'],
  async run(context, given): Promise<Imported> {
    const { dryRun = false, again = false, watch = false } = given
    const { importPass, importOnChange } = await import('../importers/service.ts')
    const { agents, around, isAll = false } = await chosen(context, given)
    if (given.service !== undefined) {
      if (around.root !== undefined)
        throw new EngineError(
          'invalid',
          'The service looks where agents keep their sessions, so it takes no path. Nothing was changed. --from chooses agents.',
        )
      return serviceSet(context, given.service, isAll ? [] : agents)
    }
    const pass = {
      // Who watches takes over what comes later, too.
      agents: isAll && watch ? AGENT_NAMES : agents,
      around,
      dryRun,
      again,
      now: context.now,
      onProgress: (text: string) => context.working?.(text),
      ...defined({ signal: context.waiting?.signal }),
    }
    const signal = context.waiting?.signal
    if (watch && signal === undefined)
      throw new EngineError(
        'invalid',
        '--watch goes on until it is stopped, so it works on the command line only: reprise import --watch. Nothing was changed.',
      )
    let last: ImportPass | undefined
    if (watch && signal !== undefined)
      await importOnChange(context.engine, { ...pass, signal }, (done) => {
        const isFirst = last === undefined
        last = done
        context.working?.(undefined)
        // The first is told in any case: a person looks on.
        if (isFirst || done.sessions.length > 0)
          context.tell?.(sayPass({ ...done, dryRun, from: agents }))
      })
    else last = await importPass(context.engine, pass)
    context.working?.(undefined)
    if (last === undefined) throw new EngineError('internal', 'The import ended before it began.')
    return { ...last, dryRun, from: agents }
  },
  say: sayPass,
})

async function serviceSet(
  { machine, engine, cwd }: CommandContext,
  wanted: 'on' | 'off',
  agents: readonly AgentName[],
): Promise<Imported> {
  if (machine === undefined) throw new EngineError('invalid', 'Here is no machine to import from.')
  const { setService } = await import('../importers/user-service.ts')
  const { dirname } = await import('node:path')
  const reprise = dirname(engine.fs.diskPath(SESSIONS) ?? cwd)
  const service = await setService(wanted, machine, { from: agents, reprise })
  const nothing = { agents: [], report: addReports([]), failed: [], unreadable: [], sessions: [] }
  return { ...nothing, dryRun: false, from: agents, service }
}

function sayService({ isOn, wasOn, path, toDo }: ServiceState): string {
  if (!isOn && !wasOn) return 'There was no service. Nothing was changed.'
  const what = isOn
    ? `From now on sessions of other agents are taken over as they change: ${code(path)} tells the system so. --service off takes it back.`
    : `The service is no more, and ${code(path)} was removed. What was imported stays.`
  return toDo === undefined
    ? what
    : `${what}\nThe system did not answer. Say it yourself: ${code(toDo)}`
}

async function chosen(
  { machine, cwd, now }: CommandContext,
  {
    from,
    path,
    since,
  }: { from?: string | undefined; path?: string | undefined; since?: string | undefined },
) {
  if (machine === undefined) throw new EngineError('invalid', 'Here is no machine to import from.')
  const { agentAt, agentsHere } = await import('../importers/import-all.ts')
  const names = (from ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const wrong = names.find(
    (name) => !isAgentName(name) && !(path === undefined && /[/\\.~]/.test(name)),
  )
  if (wrong !== undefined)
    throw new EngineError(
      'invalid',
      `No agent is called "${wrong}". Nothing was changed. There are: ${AGENT_NAMES.join(', ')}; a path can be given as well.`,
    )
  const around: Surroundings = {
    ...machine,
    env: { ...machine.env, PWD: cwd },
    ...defined({ sinceMs: momentIn(since, now()) }),
  }
  const place = path ?? names.find((name) => !isAgentName(name))
  const agents = names.filter(isAgentName)
  if (place === undefined)
    return agents.length > 0
      ? { agents, around }
      : { agents: agentsHere(around), around, isAll: true }
  const { resolve } = await import('node:path')
  const root = resolve(cwd, place.replace(/^~(?=\/|$)/, machine.home))
  if (agents.length === 1) {
    const inside = await agentAt(root, around, agents[0])
    const isIt = inside !== undefined && inside.agent === agents[0]
    return { agents, around: isIt ? inside.around : { ...around, root } }
  }
  const found = await agentAt(root, around)
  if (found === undefined)
    throw new EngineError(
      'not_found',
      `At ${root} is nothing that an agent is known to write. Nothing was changed. --from says which agent it is of.`,
    )
  return { agents: [found.agent], around: found.around }
}

function momentIn(since: string | undefined, now: Date): number | undefined {
  if (since === undefined) return undefined
  const ms = momentOf(since, now.getTime())
  if (ms !== undefined) return ms
  throw new EngineError(
    'invalid',
    `--since wants 24h, 7d, 2w or a date such as 2026-03-01, not "${since}".`,
  )
}

export function sayPass({ service, ...pass }: Imported): string {
  if (service !== undefined) return sayService(service)
  const { agents, report, failed, unreadable, dryRun, from } = pass
  if (agents.length === 0 && unreadable.length === 0)
    return from.length === 0
      ? 'No other agent has left sessions on this machine.'
      : `Nothing is there of ${from.join(', ')}.`
  const losses = sayLosses(report)
  const isWhole = failed.length + unreadable.length === 0
  return [
    ...agents.map((sum) => `- ${plain(sum.title)}: ${sumText(sum)}`),
    ...failed.map(
      ({ path, nativeId, why }) =>
        `- could not be read: ${code(path ?? nativeId)}: ${plain(why ?? '')}`,
    ),
    ...unreadable.map(({ path, why }) => `- could not be looked at: ${code(path)}: ${plain(why)}`),
    '',
    losses === ''
      ? `All${isWhole ? ' of it' : ' that could be read'} ${dryRun ? 'would be' : 'was'} kept.`
      : `Not as it was: ${plain(losses)}.`,
    ...report.notes.map((note) => plain(note)),
    ...(dryRun ? ['Nothing was written: this was a look.'] : []),
  ].join('\n')
}

const WORDS: readonly (readonly [keyof AgentSum, string])[] = [
  ['found', 'to come'],
  ['imported', 'new'],
  ['extended', 'longer than before'],
  ['branched', 'changed, so beside the old one'],
  ['unchanged', 'as before'],
  ['own', 'said from here'],
  ['empty', 'never used'],
  ['deleted', 'deleted here, left out'],
  ['failed', 'not readable'],
]

function sumText(sum: AgentSum): string {
  const parts = WORDS.flatMap(([key, text]) =>
    Number(sum[key]) > 0 ? [`${String(sum[key])} ${text}`] : [],
  )
  return `${parts.join(', ')}${sum.turns > 0 ? ` (${counted(sum.turns, 'turn')})` : ''}`
}
