/** What people come for: what waits for them, and what a new session can be made of. */
import { inboxOf, settleLeft } from './inbox.ts'
import { modelsUsed } from './models-used.ts'
import type * as api from './api.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import * as ask from './requests.ts'
import { get, post, type Web } from './route.ts'

/** An endpoint that does not answer by then is not waited for. */
const LONGEST_WAIT_MS = 5000
const MOST_PROJECTS = 50

export const choiceRoutes = [
  get(
    '/api/agents',
    { summary: 'Who can answer here', answer: 'AgentsAnswer' },
    async ({ agents }): Promise<api.AgentsAnswer> => ({
      agents: agents?.list() ?? [],
      ...defined({ usual: await agents?.usual() }),
    }),
  ),
  get(
    '/api/models',
    {
      summary: 'Models that can be asked for',
      answer: 'ModelsAnswer',
      query: ask.ModelsQuery,
    },
    async (web, { query }): Promise<api.ModelsAnswer> => {
      const signal = AbortSignal.timeout(LONGEST_WAIT_MS)
      const own =
        query.session === undefined ? undefined : await ofAgent(web, query.session, signal)
      const known = own ?? (await web.agents?.models(query.agent, signal))
      const { configured, offered = [], trouble } = known ?? {}
      const named = new Map<string, api.ModelsAnswer['models'][number]['from']>()
      for (const name of await modelsUsed(web)) named.set(name, 'used')
      for (const name of offered) named.set(name, 'offered')
      if (configured !== undefined) named.set(configured, 'configured')
      const order = ['configured', 'offered', 'used'] as const
      const models = [...named]
        .map(([name, from]) => ({ name, from }))
        .sort((a, b) => order.indexOf(a.from) - order.indexOf(b.from) || (a.name < b.name ? -1 : 1))
      return { models, ...defined({ trouble }) }
    },
  ),
  get(
    '/api/inbox',
    { summary: 'Sessions that wait for a person, work, or ended lately', answer: 'InboxAnswer' },
    ({ engine }): Promise<api.InboxAnswer> => inboxOf(engine, Date.now()),
  ),
  post(
    '/api/inbox/left',
    {
      summary: 'Opens the sessions that were open when their process died, or leaves them',
      answer: 'OkAnswer',
      body: ask.LeftBody,
    },
    async ({ engine }, { body }): Promise<api.OkAnswer> => {
      await settleLeft(engine, body)
      return { ok: true }
    },
  ),
  get(
    '/api/projects',
    { summary: 'Folders that sessions worked in, the last one first', answer: 'ProjectsAnswer' },
    (web) => recentProjects(web),
  ),
]

async function recentProjects({ engine }: Web): Promise<api.ProjectsAnswer> {
  const projects = new Map<string, api.ProjectsAnswer['projects'][number]>()
  for (const { cwd, repository, branch, modifiedAt } of await engine.list()) {
    if (cwd === undefined) continue
    const known = projects.get(cwd)
    const newest = known ?? { cwd, ...defined({ repository, branch }), at: modifiedAt }
    projects.set(cwd, { ...newest, sessions: (known?.sessions ?? 0) + 1 })
  }
  return { projects: [...projects.values()].slice(0, MOST_PROJECTS) }
}

type Known = Awaited<ReturnType<NonNullable<Web['agents']>['models']>>

/** Undefined for an agent that has no models of its own to choose from. */
async function ofAgent(
  { engine }: Web,
  id: SessionId,
  signal: AbortSignal,
): Promise<Known | undefined> {
  try {
    const session = await engine.open(id)
    await session.startAgent(signal)
    const all = (await session.agentOptions())?.options
    const option = all?.find(({ category }) => category === 'model')
    return option && { offered: (option.values ?? []).map(({ value }) => value) }
  } catch (error) {
    return { offered: [], trouble: errorText(error) }
  }
}
