/**
 * What the project and the user say to every agent, each file as a source with a name: AGENTS.md, CLAUDE.md and
 * .github/copilot-instructions.md from the git root down to the working directory, .github/instructions, the user's own
 * files, and folders that were named. Each text stands once.
 */
import { basename, join, relative, sep } from 'node:path'
import { defined } from '../lib/defined.ts'
import { namesIn } from '../lib/names-in.ts'
import { frontMatter, listField } from './front-matter.ts'
import { namedFolders, projectFolders, textWithin, type GuidancePlaces } from './places.ts'

/** In the words of the Copilot SDK. */
export type InstructionSource = {
  /** By which it is switched off and on. */
  readonly id: string
  readonly label: string
  /** From the project's root, or as `~/…`, or absolute. */
  readonly sourcePath: string
  /** As the file has it, without blanks around it. */
  readonly content: string
  readonly type: 'home' | 'repo' | 'model' | 'vscode' | 'nested-agents' | 'child-instructions'
  readonly location: 'user' | 'repository' | 'working-directory'
  /** It is about these files alone: the model is told of it by its path. */
  readonly applyTo?: readonly string[]
}

type Named = Pick<InstructionSource, 'id' | 'type' | 'location' | 'sourcePath'>
type Candidate = Named & { readonly path: string; readonly within?: string }

/** The outermost first: what is nearer is read later and counts more. */
export async function listInstructionSources(
  places: GuidancePlaces,
): Promise<readonly InstructionSource[]> {
  const seen = new Set<string>()
  const sources: InstructionSource[] = []
  for (const candidate of [
    ...ofUser(places),
    ...(await ofProject(places)),
    ...(await ofDirectories(places)),
  ]) {
    const { path, within, ...named } = candidate
    const found = await textWithin(path, within)
    if (found === undefined || seen.has(found.place) || seen.has(found.text)) continue
    seen.add(found.place).add(found.text)
    sources.push(sourceOf(named, found.text))
  }
  return sources
}

/** By its id, or by the path under which it is listed. */
export const isNamed = (
  { id, sourcePath }: Pick<InstructionSource, 'id' | 'sourcePath'>,
  names: readonly string[],
): boolean => names.includes(id) || names.includes(sourcePath)

function sourceOf(named: Named, content: string): InstructionSource {
  const applyTo = named.type === 'vscode' ? listField(frontMatter(content), 'applyTo') : undefined
  const isForAll = applyTo === undefined || applyTo.some((each) => each === '**' || each === '**/*')
  const label = named.type === 'vscode' ? basename(named.sourcePath) : named.sourcePath
  return { ...named, label, content, ...(!isForAll && defined({ applyTo })) }
}

function ofUser({ userHome, repriseHome }: GuidancePlaces): readonly Candidate[] {
  const at = (folder: string | undefined, name: string, id: string, sourcePath: string) =>
    folder === undefined
      ? []
      : [{ path: join(folder, name), id, sourcePath, type: 'home', location: 'user' } as const]
  const copilot = '.copilot/copilot-instructions.md'
  return [
    ...at(userHome, copilot, 'home-copilot', `~/${copilot}`),
    ...at(userHome, '.claude/CLAUDE.md', 'home-claude-md', '~/.claude/CLAUDE.md'),
    ...at(repriseHome, 'AGENTS.md', 'home-agents-md', join(repriseHome ?? '', 'AGENTS.md')),
  ]
}

const FILES = [
  ['AGENTS.md', 'model-agents-md', 'model'],
  ['CLAUDE.md', 'model-claude-md', 'model'],
  ['.github/copilot-instructions.md', 'repo-copilot', 'repo'],
] as const

const RULES = '.github/instructions'

async function ofProject(places: GuidancePlaces): Promise<readonly Candidate[]> {
  const { root, folders } = await projectFolders(places)
  const found: Candidate[] = []
  for (const folder of folders) {
    const shown = (name: string) => relative(root, join(folder, name)).replaceAll(sep, '/')
    const isRoot = folder === root
    const location = isRoot ? 'repository' : 'working-directory'
    for (const [name, id, type] of FILES) {
      const nested = name === 'AGENTS.md' ? 'nested-agents' : 'child-instructions'
      found.push({
        path: join(folder, name),
        within: root,
        sourcePath: shown(name),
        location,
        ...(isRoot ? { id, type } : { id: `${nested}/${shown(name)}`, type: nested }),
      })
    }
    for (const name of await rulesIn(join(folder, RULES))) {
      const sourcePath = shown(`${RULES}/${name}`)
      const id = `vscode-instructions/${sourcePath}`
      const path = join(folder, RULES, name)
      found.push({ path, within: root, sourcePath, id, type: 'vscode', location })
    }
  }
  return found
}

async function ofDirectories(places: GuidancePlaces): Promise<readonly Candidate[]> {
  const found: Candidate[] = []
  for (const folder of namedFolders(places)) {
    const rules = [
      ...(await rulesIn(folder)),
      ...(await rulesIn(join(folder, RULES))).map((name) => `${RULES}/${name}`),
    ]
    const files = [...FILES.map(([name]) => name), 'copilot-instructions.md']
    for (const name of [...files, ...rules]) {
      const path = join(folder, name)
      const type = rules.includes(name) ? 'vscode' : 'repo'
      found.push({ path, sourcePath: path, id: path, type, location: 'working-directory' })
    }
  }
  return found
}

const rulesIn = async (folder: string): Promise<readonly string[]> =>
  (await namesIn(folder)).filter((name) => name.endsWith('.instructions.md'))
