/**
 * Custom agents: a prompt under a name, with the tools and the model that it may use. They come from Markdown files of
 * the project (.github/agents) and of the user (~/.copilot/agents), and from a connected program. The first of two with
 * one name counts: what a program brings, then the nearest file, then the user's own. Those of a plugin have its name
 * before their own: `plugin:agent`.
 */
import { basename, join } from 'node:path'
import { defined } from '../lib/defined.ts'
import { namesIn } from '../lib/names-in.ts'
import { flagField, frontMatter, listField, textField } from './front-matter.ts'
import { pluginOf } from './plugin-of.ts'
import {
  namedFolders,
  projectFolders,
  textWithin,
  type FoundText,
  type GuidancePlaces,
} from './places.ts'

/** In the words of the Copilot SDK. */
export type CustomAgent = {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly prompt: string
  /** Of its file. */
  readonly path?: string
  readonly source?: 'user' | 'project' | 'inherited' | 'plugin'
  /** A person may choose it for a session. */
  readonly userInvocable: boolean
  /** The model may not give it a task. */
  readonly disableModelInvocation: boolean
  /** Left out: all that the session has. */
  readonly tools?: readonly string[]
  readonly model?: string
  readonly reasoningEffort?: string
  /** Skills whose whole text it begins with. */
  readonly skills?: readonly string[]
  /** Tool servers of its own, as the program that brought it gave them. */
  readonly mcpServers?: Readonly<Record<string, unknown>>
}

/** Where they are looked for, besides folders that were named. */
export const agentFolders = {
  inProject: '.github/agents',
  ofUser: ({ userHome, repriseHome }: Pick<GuidancePlaces, 'userHome' | 'repriseHome'>) =>
    [userHome && join(userHome, '.copilot'), repriseHome].flatMap((folder) =>
      folder ? [join(folder, 'agents')] : [],
    ),
} as const

/** `brought`: those of a connected program. */
export async function listCustomAgents(
  places: GuidancePlaces,
  brought: readonly CustomAgent[] = [],
): Promise<readonly CustomAgent[]> {
  const { root, folders } = await projectFolders(places)
  const here = folders.at(-1)
  const found = await Promise.all([
    ...namedFolders(places).map(agentsNamed),
    ...folders
      .toReversed()
      .map((folder) =>
        agentsIn(
          join(folder, agentFolders.inProject),
          folder === here ? 'project' : 'inherited',
          root,
        ),
      ),
    ...agentFolders.ofUser(places).map((folder) => agentsIn(folder, 'user')),
  ])
  const byName = new Map<string, CustomAgent>()
  for (const agent of [...brought, ...found.flat()])
    if (!byName.has(agent.name)) byName.set(agent.name, agent)
  return [...byName.values()]
}

/** By its whole name; one of a plugin by its own alone, where that can mean no other. */
export function namedAgent<A extends Pick<CustomAgent, 'name' | 'source'>>(
  agents: readonly A[],
  wanted: string | undefined,
): A | undefined {
  const exact = agents.find(({ name }) => name === wanted)
  if (exact !== undefined || wanted === undefined) return exact
  const ofPlugins = agents.filter(
    ({ name, source }) => source === 'plugin' && name.endsWith(`:${wanted}`),
  )
  return ofPlugins.length === 1 ? ofPlugins[0] : undefined
}

/** In a folder that was named, which may be a plugin's. */
async function agentsNamed(folder: string): Promise<readonly CustomAgent[]> {
  const agents = await agentsIn(folder, undefined)
  const plugin = agents.length === 0 ? undefined : await pluginOf(folder)
  if (plugin === undefined) return agents
  return agents.map((agent) => ({ ...agent, name: `${plugin}:${agent.name}`, source: 'plugin' }))
}

async function agentsIn(
  folder: string,
  source: CustomAgent['source'],
  within?: string,
): Promise<readonly CustomAgent[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.md'))
  const files = await Promise.all(names.map((name) => textWithin(join(folder, name), within)))
  return files.flatMap((file) => (file === undefined ? [] : [agentOf(file, source)]))
}

function agentOf({ path, text }: FoundText, source: CustomAgent['source']): CustomAgent {
  const file = frontMatter(text)
  const name = textField(file, 'name') ?? basename(path).replace(/(?:\.agent)?\.md$/, '')
  const tools = listField(file, 'tools')
  const mayBeAsked = flagField(file, 'infer') ?? !flagField(file, 'disable-model-invocation')
  return {
    name,
    displayName: textField(file, 'display-name') ?? name,
    description: textField(file, 'description') ?? '',
    prompt: file.body,
    path,
    userInvocable: flagField(file, 'user-invocable') ?? true,
    disableModelInvocation: !mayBeAsked,
    ...(tools !== undefined && !tools.includes('*') && { tools }),
    ...defined({
      source,
      model: textField(file, 'model'),
      reasoningEffort: textField(file, 'reasoning-effort'),
      skills: listField(file, 'skills'),
    }),
  }
}
