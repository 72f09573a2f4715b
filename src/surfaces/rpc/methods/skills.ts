/** Skills: those of a session, and those that sessions in some folder would find. */
import { z } from 'zod'
import { join } from 'node:path'
import { readGuidance, type Switchable } from '../../../guidance/guidance.ts'
import { SKILL_FOLDERS, skillCommand, type Skill } from '../../../guidance/skills.ts'
import { defined } from '../../../lib/defined.ts'
import { tell } from '../follow-session.ts'
import type { HostedSession } from '../hosted-session.ts'
import { method, passOn, sessionMethod, type Methods } from '../method.ts'
import type { ServerParts } from '../parts.ts'

const one = { name: z.string().min(1) }
const projects = {
  projectPaths: z.array(z.string()).optional(),
  skillDirectories: z.array(z.string()).optional(),
}

export const skillMethods: Methods = {
  'session.skills.list': passOn('guidance', {
    summary: 'Skills of a session, and which the model is offered.',
    needsAgent: true,
    from: ({ skills }) => ({ skills: skills.map(skillInfo) }),
  }),
  'session.skills.enable': sessionMethod(
    'Offers a skill from the next message on.',
    one,
    async (session, { name }) => switched(session, name, true),
  ),
  'session.skills.disable': sessionMethod(
    'Keeps a skill from the model from the next message on.',
    one,
    async (session, { name }) => switched(session, name, false),
  ),
  'session.skills.reload': sessionMethod(
    'Looks for skills again, and tells which there are.',
    async (session) => {
      await tellLoaded(session)
      return { warnings: [], errors: [] }
    },
  ),
  'session.skills.ensureLoaded': sessionMethod('Tells which skills there are.', async (session) => {
    await tellLoaded(session)
    return {}
  }),
  'session.skills.getInvoked': sessionMethod(
    'Skills that were called up, with their texts.',
    async ({ ops }) => {
      const { skills } = await ops.state()
      // Nothing is read of a session that called none up.
      const { events } = skills.length === 0 ? { events: [] } : await ops.events()
      const seen = new Map<string, unknown>()
      for (const event of events) {
        if ('stranger' in event || event.type !== 'skill.invoked') continue
        if (event.agentId !== undefined) continue
        const { name, path, content, allowedTools, source } = event.data
        seen.set(name, {
          name,
          path,
          content,
          ...defined({ allowedTools, source }),
          invokedAtTurn: await turnAt(ops, event.timestamp),
        })
      }
      return { skills: [...seen.values()] }
    },
  ),
  'skills.discover': method(
    'Skills that sessions in these folders find.',
    projects,
    async ({ server }, { projectPaths = [], skillDirectories = [] }) => ({
      skills: await discovered(server.parts, projectPaths, skillDirectories),
    }),
  ),
  'skills.getDiscoveryPaths': method(
    'Where skills are looked for.',
    projects,
    async ({ server }, { projectPaths = [], skillDirectories = [] }) => {
      const { userHome } = server.parts.guidance
      const inProject = projectPaths.flatMap((projectPath) =>
        SKILL_FOLDERS.map((folder, index) => ({
          path: join(projectPath, folder),
          scope: 'project',
          preferredForCreation: index === 0,
          projectPath,
        })),
      )
      const own = userHome === undefined ? [] : [join(userHome, '.copilot/skills')]
      return {
        paths: [
          ...inProject,
          ...own.map((path) => ({ path, scope: 'personal-copilot', preferredForCreation: true })),
          ...skillDirectories.map((path) => ({
            path,
            scope: 'custom',
            preferredForCreation: false,
          })),
        ],
      }
    },
  ),
  'skills.config.setSkillDisabled': method(
    'Keeps a skill from the model in all sessions, or offers it again.',
    { ...one, disabled: z.boolean() },
    async ({ server }, { name, disabled }) =>
      setOff(server.parts, (off) => [
        ...off.filter((each) => each !== name),
        ...(disabled ? [name] : []),
      ]),
  ),
  'skills.config.setDisabledSkills': method(
    'Keeps these skills, and no others, from the model in all sessions.',
    { disabledSkills: z.array(z.string()) },
    async ({ server }, { disabledSkills }) => setOff(server.parts, () => disabledSkills),
  ),
}

async function skillsOf({ agent, ops }: HostedSession): Promise<readonly Switchable<Skill>[]> {
  await agent.ready()
  return (await ops.guidance()).skills
}

async function switched(session: HostedSession, name: string, isOn: boolean): Promise<null> {
  await session.agent.ready()
  await session.ops.switchGuidance({ kind: 'skills', name, isOn })
  await tellLoaded(session)
  return null
}

async function tellLoaded(session: HostedSession): Promise<void> {
  const skills = (await skillsOf(session)).map(skillInfo)
  tell(session, { type: 'session.skills_loaded', data: { skills } })
}

const skillInfo = ({
  name,
  description,
  source,
  userInvocable,
  isOn,
  ...skill
}: Switchable<Skill>) => ({
  name,
  commandName: skillCommand({ name, ...skill }),
  description,
  source,
  userInvocable,
  enabled: isOn,
  path: skill.path,
  ...defined({ argumentHint: skill.argumentHint, pluginName: skill.plugin }),
})

/** Which message it was called up after, counted from 1. */
async function turnAt(ops: HostedSession['ops'], timestamp: string): Promise<number> {
  const { turns } = await ops.state()
  return turns.filter(({ at }) => at <= timestamp).length
}

async function discovered(
  { settings, guidance }: ServerParts,
  projectPaths: readonly string[],
  skillDirectories: readonly string[],
) {
  const { off = [], directories = [] } = (await settings.read()).skills ?? {}
  const config = {
    ...guidance,
    skillsOff: off,
    skillDirectories: [...directories, ...skillDirectories],
  }
  const found = await Promise.all(
    projectPaths.map(async (projectPath) =>
      (await readGuidance(config, { cwd: projectPath })).skills.map((skill) => ({
        ...skillInfo(skill),
        ...(skill.source === 'project' && { projectPath }),
      })),
    ),
  )
  const byPath = new Map(found.flat().map((skill) => [skill.path, skill]))
  return [...byPath.values()]
}

async function setOff(
  { settings }: ServerParts,
  by: (off: readonly string[]) => readonly string[],
): Promise<null> {
  await settings.change((config) => ({
    ...config,
    skills: { ...config.skills, off: [...by(config.skills?.off ?? [])] },
  }))
  return null
}
