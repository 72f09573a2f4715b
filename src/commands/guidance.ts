/** What the model is told besides what was said, and what of it is left out: `/instructions`, `/skills`. */
import { z } from 'zod'
import type { GuidanceKind } from '../guidance/guidance.ts'
import { defined } from '../lib/defined.ts'
import { amount } from '../lib/quantities.ts'
import { estimateTokens } from '../state/token-estimate.ts'
import { command, type CommandContext } from './command.ts'
import { plain, table } from './markdown.ts'

const switching = {
  name: z.string().optional().describe('which one to switch'),
  to: z.enum(['on', 'off']).optional().describe('on or off, in this session'),
}

async function listOf(context: CommandContext, kind: GuidanceKind, { name, to }: Wanted) {
  const session = await context.session()
  if (name !== undefined && to !== undefined)
    await session.switchGuidance({ kind, name, isOn: to === 'on' })
  return session.guidance()
}

type Wanted = { readonly name?: string | undefined; readonly to?: 'on' | 'off' | undefined }

export const instructions = command({
  name: 'instructions',
  summary: 'instruction files that the model is given, and switch one off or on',
  changes: 'settings',
  on: 'session',
  args: z.object(switching),
  words: ['name', 'to'],
  run: async (context, wanted) =>
    (await listOf(context, 'instructions', wanted)).instructions.map(
      ({ id, sourcePath, content, location, applyTo, isOn }) => ({
        id,
        path: sourcePath,
        location,
        tokens: estimateTokens(content),
        isOn,
        ...defined({ applyTo }),
      }),
    ),
  say: (sources, { call }) =>
    sources.length === 0
      ? 'The model is given no instruction file: there is no AGENTS.md, CLAUDE.md or .github/copilot-instructions.md here, or the agent reads them itself.'
      : [
          table(
            ['file', 'tokens', 'given'],
            sources.map(({ path, tokens, isOn, applyTo }) => [
              plain(path),
              amount(tokens),
              isOn ? (applyTo === undefined ? 'yes' : `for ${plain(applyTo.join(', '))}`) : 'no',
            ]),
          ),
          `Tokens are estimated. \`${call('instructions', '<file> off')}\` leaves one out of this session, \`reprise config set instructions.off '["CLAUDE.md"]'\` out of all.`,
        ].join('\n\n'),
})

export const skills = command({
  name: 'skills',
  summary: 'skills that the model can call up, and switch one off or on',
  changes: 'settings',
  on: 'session',
  args: z.object(switching),
  words: ['name', 'to'],
  run: async (context, wanted) =>
    (await listOf(context, 'skills', wanted)).skills.map(
      ({ name, description, source, path, isOn }) => ({ name, description, source, path, isOn }),
    ),
  say: (list, { call }) =>
    list.length === 0
      ? 'There are no skills. A folder with a SKILL.md below .github/skills, .claude/skills or ~/.copilot/skills is one.'
      : [
          table(
            ['skill', 'what it is for', 'offered'],
            list.map(({ name, description, isOn }) => [
              plain(name),
              plain(description),
              isOn ? 'yes' : 'no',
            ]),
          ),
          `\`${call('skills', '<name> off')}\` keeps one from the model in this session, \`reprise config set skills.off '["name"]'\` in all.`,
        ].join('\n\n'),
})

export const agents = command({
  name: 'agents',
  summary: 'custom agents of the project and the user, and have one answer',
  changes: 'settings',
  on: 'session',
  args: z.object({
    name: z.string().optional().describe('the one that answers from the next message on, or none'),
  }),
  words: ['name'],
  async run(context, { name }) {
    const session = await context.session()
    if (name !== undefined) await session.selectAgent(name === 'none' ? undefined : name)
    const [{ agents: found }, { agentName, tasks }] = await Promise.all([
      session.guidance(),
      session.state(),
    ])
    return {
      agents: found
        .filter(({ userInvocable }) => userInvocable)
        .map(({ name: each, description, path }) => ({
          name: each,
          description,
          isAnswering: each === agentName,
          ...defined({ path }),
        })),
      atWork: tasks
        .filter(({ status }) => status === 'running')
        .map(({ id, displayName, agentName: type, description }) => ({
          id,
          name: displayName,
          type,
          description,
        })),
    }
  },
  say: ({ agents: found, atWork }, { call }) =>
    [
      found.length === 0
        ? 'There are no custom agents. A Markdown file below .github/agents or ~/.copilot/agents is one.'
        : table(
            ['agent', 'what it is for', 'answers'],
            found.map(({ name, description, isAnswering }) => [
              plain(name),
              plain(description),
              isAnswering ? 'yes' : 'no',
            ]),
          ),
      ...(found.length === 0
        ? []
        : [
            `\`${call('agents', '<name>')}\` has one answer from the next message on, \`${call('agents', 'none')}\` the usual one.`,
          ]),
      ...(atWork.length === 0
        ? []
        : [
            table(
              ['sub-agent at work', 'kind', 'task'],
              atWork.map(({ name, type, description }) => [
                plain(name),
                plain(type),
                plain(description),
              ]),
            ),
          ]),
    ].join('\n\n'),
})
