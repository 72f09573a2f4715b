/** Calls up a skill: the model is given the whole text of it as the result of the call, and the log says so. */
import { dirname } from 'node:path'
import { z } from 'zod'
import type { DraftOf } from '../../format/event.ts'
import { skillCommand, type Skill } from '../../guidance/skills.ts'
import { defined } from '../../lib/defined.ts'
import { quoted } from '../../state/quoting.ts'
import { ToolFailure, type Tool } from '../tools/tool.ts'

const Args = z.object({ skill: z.string().min(1).describe('The name of the skill.') })

/** `tell` records it beside the call. */
export const skillTool = (
  skills: () => readonly Skill[],
  tell: (draft: DraftOf<'skill.invoked'>) => void,
): Tool<z.output<typeof Args>> => ({
  name: 'skill',
  description:
    'Calls up a skill by its name and gives what it says. When a skill fits what is asked, call it up before you begin.',
  args: Args,
  isReadOnly: true,
  permission: async () => undefined,
  async run({ skill: name }) {
    const skill = skills().find((each) => each.name === name || skillCommand(each) === name)
    if (skill === undefined) {
      const known = skills().map((each) => each.name)
      throw new ToolFailure(
        'invalid_arguments',
        `Skill "${name}" not found. Available skills: ${known.length === 0 ? 'none' : known.join(', ')}`,
      )
    }
    tell(invoked(skill, 'agent-invoked'))
    return { content: skillText(skill) }
  },
})

export const skillText = ({ name, path, content }: Skill): string =>
  quoted('skill-context', { name }, `Base directory for this skill: ${dirname(path)}\n\n${content}`)

export const invoked = (
  { name, path, content, allowedTools, source, description, plugin: pluginName }: Skill,
  trigger: 'agent-invoked' | 'context-load' | 'user-invoked',
): DraftOf<'skill.invoked'> => ({
  type: 'skill.invoked',
  data: {
    name,
    path,
    content,
    allowedTools: [...allowedTools],
    source,
    description,
    trigger,
    ...defined({ pluginName }),
  },
})
