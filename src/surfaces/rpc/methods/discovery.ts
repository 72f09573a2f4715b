/** What sessions in some folder would find, without opening one: custom agents, instruction files, hooks. */
import { join } from 'node:path'
import { z } from 'zod'
import { pluginsInUse } from '../../../config/copilot-plugins.ts'
import { agentFolders } from '../../../guidance/custom-agents.ts'
import { readGuidance, type GuidanceConfig } from '../../../guidance/guidance.ts'
import { method, type Methods } from '../method.ts'
import type { ServerParts } from '../parts.ts'
import { agentInfo } from './agents.ts'

const projectPaths = z.array(z.string()).optional()
const flag = z.boolean().optional()

export const discoveryMethods: Methods = {
  'agents.discover': method(
    'Custom agents that sessions in these folders find.',
    { projectPaths, excludeHostAgents: flag },
    async ({ server }, { projectPaths: projects = [], excludeHostAgents: isWithout = false }) => {
      const found = await inEach(server.parts, projects, isWithout, ({ agents }) => agents)
      const byName = new Map(found.map((agent) => [`${agent.path}:${agent.name}`, agent]))
      return {
        agents: [...byName.values()].map((agent) => ({
          ...agentInfo(agent),
          userInvocable: agent.userInvocable,
          tools: agent.tools ?? ['*'],
        })),
      }
    },
  ),
  'agents.getDiscoveryPaths': method(
    'Where custom agents are looked for.',
    { projectPaths, excludeHostAgents: flag },
    ({ server }, { projectPaths: projects = [], excludeHostAgents: isWithout = false }) => {
      const { inProject, ofUser } = agentFolders
      return {
        paths: [
          ...projects.map((projectPath) => ({
            path: join(projectPath, inProject),
            scope: 'project',
            preferredForCreation: true,
            projectPath,
          })),
          ...(isWithout ? [] : ofUser(server.parts.guidance)).map((path, index) => ({
            path,
            scope: 'user',
            preferredForCreation: index === 0,
          })),
        ],
      }
    },
  ),
  'instructions.discover': method(
    'Instruction files that sessions in these folders find.',
    { projectPaths, excludeHostInstructions: flag },
    async ({ server }, { projectPaths: projects = [], excludeHostInstructions = false }) => {
      const found = await inEach(
        server.parts,
        projects,
        excludeHostInstructions,
        ({ instructions }, projectPath) =>
          instructions.map(({ isOn, ...source }) => ({
            ...source,
            ...(!isOn && { defaultDisabled: true }),
            ...(source.location !== 'user' && { projectPath }),
          })),
      )
      const distinct = new Map(found.map((each) => [`${each.projectPath}:${each.id}`, each]))
      return { sources: [...distinct.values()] }
    },
  ),
  'instructions.getDiscoveryPaths': method(
    'Where instruction files are looked for.',
    { projectPaths, excludeHostInstructions: flag },
    ({ server }, { projectPaths: projects = [], excludeHostInstructions = false }) => {
      const { userHome, repriseHome } = server.parts.guidance
      const file = (path: string, location: string, preferredForCreation: boolean) => ({
        path,
        location,
        kind: 'file',
        preferredForCreation,
      })
      const own = [
        ...(userHome === undefined
          ? []
          : [
              file(join(userHome, '.copilot/copilot-instructions.md'), 'user', true),
              file(join(userHome, '.claude/CLAUDE.md'), 'user', false),
            ]),
        ...(repriseHome === undefined ? [] : [file(join(repriseHome, 'AGENTS.md'), 'user', false)]),
      ]
      const ofProject = (projectPath: string) =>
        [
          file(join(projectPath, '.github/copilot-instructions.md'), 'repository', true),
          file(join(projectPath, 'AGENTS.md'), 'repository', false),
          file(join(projectPath, 'CLAUDE.md'), 'repository', false),
          {
            ...file(join(projectPath, '.github/instructions'), 'repository', false),
            kind: 'directory',
          },
        ].map((each) => ({ ...each, projectPath }))
      return {
        paths: [...projects.flatMap(ofProject), ...(excludeHostInstructions ? [] : own)],
      }
    },
  ),
  'hooks.discover': method(
    'Hooks that every session runs: those of the configuration. A project brings none.',
    { projectPaths, excludeHostHooks: flag },
    async ({ server }, { excludeHostHooks = false }) => {
      const { hooks = {} } = excludeHostHooks ? {} : await server.parts.settings.read()
      return {
        hooks: Object.entries(hooks).flatMap(([hookType, entries]) =>
          (entries ?? []).map(({ command }, index) => ({
            id: `user:${hookType}:${index}`,
            hookType,
            origin: 'user',
            source: command,
            enabled: true,
          })),
        ),
        warnings: [],
        errors: [],
      }
    },
  ),
}

type Found = Awaited<ReturnType<typeof readGuidance>>

/** Without a project, what is the user's own is found all the same. */
async function inEach<T>(
  { settings, guidance, cwd, catalogue, namedPlugins }: ServerParts,
  projects: readonly string[],
  isWithoutOwn: boolean,
  pick: (found: Found, projectPath: string) => readonly T[],
): Promise<readonly T[]> {
  const config = await settings.read()
  const { customAgents, instructions } = config
  const plugins = isWithoutOwn ? [] : await pluginsInUse(catalogue.fs, config, namedPlugins)
  const own: GuidanceConfig = isWithoutOwn
    ? {}
    : {
        ...guidance,
        agentDirectories: [
          ...(customAgents?.directories ?? []),
          ...plugins.flatMap(({ agents }) => agents),
        ],
        instructionDirectories: instructions?.directories ?? [],
        instructionsOff: instructions?.off ?? [],
      }
  if (projects.length === 0) {
    const { instructions: all, agents, skills } = await readGuidance(own, { cwd })
    const ofUser = {
      instructions: all.filter(({ location }) => location === 'user'),
      agents: agents.filter(({ source }) => source === 'user' || source === 'plugin'),
      skills,
    }
    return pick(ofUser, cwd)
  }
  const found = await Promise.all(
    projects.map(async (project) => pick(await readGuidance(own, { cwd: project }), project)),
  )
  return found.flat()
}
