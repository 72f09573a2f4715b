/**
 * Skills: folders with a SKILL.md, known by name and description and read whole only when they are called up. They come
 * from .github/skills, .agents/skills and .claude/skills between the git root and the working directory, from the user's
 * own folders, and from folders that were named. The first of two with one name counts, the nearest first.
 */
import { basename, dirname, join } from 'node:path'
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
export type Skill = {
  readonly name: string
  readonly description: string
  readonly source: 'project' | 'inherited' | 'personal-copilot' | 'plugin' | 'custom'
  /** The plugin that it came with. */
  readonly plugin?: string
  /** A person may call it up by its name. */
  readonly userInvocable: boolean
  /** The model is not told of it. */
  readonly disableModelInvocation: boolean
  /** Of SKILL.md. */
  readonly path: string
  /** What SKILL.md says below its fields. */
  readonly content: string
  readonly allowedTools: readonly string[]
  readonly argumentHint?: string
}

export async function listSkills(places: GuidancePlaces): Promise<readonly Skill[]> {
  const { root, folders } = await projectFolders(places)
  const here = folders.at(-1)
  const { userHome, repriseHome } = places
  const own = [
    ...(userHome === undefined ? [] : [join(userHome, '.copilot/skills')]),
    ...(repriseHome === undefined ? [] : [join(repriseHome, 'skills')]),
  ]
  const found = await Promise.all([
    ...namedFolders(places).map(namedSkills),
    ...folders
      .toReversed()
      .flatMap((folder) =>
        SKILL_FOLDERS.map((name) =>
          skillsIn(join(folder, name), folder === here ? 'project' : 'inherited', root),
        ),
      ),
    ...own.map((folder) => skillsIn(folder, 'personal-copilot')),
  ])
  const byName = new Map<string, Skill>()
  for (const skill of found.flat()) if (!byName.has(skill.name)) byName.set(skill.name, skill)
  return [...byName.values()]
}

async function namedSkills(folder: string): Promise<readonly Skill[]> {
  const skills = await skillsIn(folder, 'custom')
  const plugin = skills.length === 0 ? undefined : await pluginOf(folder)
  if (plugin === undefined) return skills
  return skills.map((skill) => ({ ...skill, source: 'plugin' as const, plugin }))
}

/** What a person types to call it up: two plugins may have skills of one name. */
export const skillCommand = ({ name, plugin }: Pick<Skill, 'name' | 'plugin'>): string =>
  plugin === undefined ? name : `${plugin}:${name}`

/** Of a project. */
export const SKILL_FOLDERS = ['.github/skills', '.agents/skills', '.claude/skills']

/** A folder that was named may be a skill itself. */
async function skillsIn(
  folder: string,
  source: Skill['source'],
  within?: string,
): Promise<readonly Skill[]> {
  const itself = source === 'custom' ? [join(folder, FILE)] : []
  const below = (await namesIn(folder)).map((name) => join(folder, name, FILE))
  const files = await Promise.all([...itself, ...below].map((path) => textWithin(path, within)))
  return files.flatMap((file) => (file === undefined ? [] : skillOf(file, source)))
}

const FILE = 'SKILL.md'

/** As the Copilot CLI does, one that says nothing of itself is left out: nobody could know when to call it up. */
function skillOf({ path, text }: FoundText, source: Skill['source']): readonly Skill[] {
  const file = frontMatter(text)
  const description = textField(file, 'description')
  if (description === undefined) return []
  return [
    {
      name: textField(file, 'name') ?? basename(dirname(path)),
      description,
      source,
      userInvocable: flagField(file, 'user-invocable') ?? true,
      disableModelInvocation: flagField(file, 'disable-model-invocation') ?? false,
      path,
      content: file.body,
      allowedTools: listField(file, 'allowed-tools') ?? [],
      ...defined({ argumentHint: textField(file, 'argument-hint') }),
    },
  ]
}
