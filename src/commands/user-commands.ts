/**
 * Commands from the user's files, those that the Copilot CLI reads: skills (`skills/<name>/SKILL.md` below `.github`,
 * `.agents` or `.claude`, and in the home), `.claude/commands/<name>.md` and `.reprise/commands/<name>.md`, from the
 * session's directory up to the root of its repository; `commands/<name>.md` of the home; and `skills/` and `commands/` of
 * the extensions that the user has enabled. Such a command is a text for the agent; `$ARGUMENTS` in it is what was typed
 * behind the name, `$1` its first word.
 */
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { enabledPlugins, pluginFolders } from '../config/copilot-plugins.ts'
import { extensionFolders } from '../config/extensions.ts'
import { readConfig } from '../config/load.ts'
import type { Config } from '../config/config-file.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import { parseLine, type PlainValue } from '../format/plain-yaml.ts'
import { namesIn } from '../lib/names-in.ts'
import { readSmallText } from '../lib/small-text.ts'
import type { Offered } from './offered.ts'

/** Where nobody is shown the text of a command and asked, one that comes with a project is refused until its user has allowed it. */
export async function userCommandsOf(
  engine: Pick<Engine, 'fs' | 'project'>,
  session: Session,
): Promise<readonly Offered[]> {
  // The log of a session that has said nothing names no directory.
  const cwd = session.now?.cwd ?? (await session.state()).project.cwd
  const commands = await userCommandsIn(engine, cwd)
  if (commands.every(({ ofProject }) => ofProject === undefined)) return commands
  // A configuration that cannot be read allows nothing.
  const { projectCommands } = await readConfig(engine.fs).catch((): Config => ({}))
  const allowed = new Set(projectCommands?.allowed)
  return commands.map((each) =>
    each.ofProject === undefined || allowed.has(each.ofProject.digest) ? each : refused(each),
  )
}

const refused = (command: Offered): Offered => ({
  ...command,
  message() {
    const { file = '', digest = '' } = command.ofProject ?? {}
    throw new EngineError(
      'invalid',
      `/${command.name} comes with this project (${file}), and you have not allowed its text yet. Nothing was sent. Type /${command.name} once in the terminal ("reprise" in this project), which shows the text and asks; or read the file and add "${digest}" to projectCommands.allowed with "reprise config set".`,
    )
  },
})

/** The commands of those who work in this directory. */
export async function userCommandsIn(
  engine: Pick<Engine, 'fs' | 'project'>,
  cwd: string | undefined,
): Promise<readonly Offered[]> {
  const native = (path: string) => engine.fs.nativePath(path)
  const folders = cwd === undefined ? [] : between(cwd, (await engine.project(cwd)).gitRoot ?? cwd)
  // A configuration that cannot be read is told by what needs it: a list of commands does not.
  const config = await readConfig(engine.fs).catch(() => ({}))
  const extensions = extensionFolders(config)
  // Likewise: a plugin that is missing is told when a session is opened.
  const plugins = await enabledPlugins(config, pluginFolders(engine.fs)).catch(() => [])
  return userCommands(folders, {
    skills: [
      ...['skills', ...extensions.map((folder) => `${folder}/skills`)].map(native),
      ...plugins.flatMap(({ skills }) => skills),
    ],
    texts: [
      native('commands'),
      ...extensions.map((folder) => native(`${folder}/commands`)),
      ...plugins.flatMap(({ commands }) => commands),
    ],
  })
}

/** The first of two with one name counts. Those of the home come last. */
export async function userCommands(
  folders: readonly string[],
  ofHome: { readonly skills: readonly string[]; readonly texts: readonly string[] },
): Promise<readonly Offered[]> {
  const skills = SKILLS.flatMap((name) => folders.map((folder) => join(folder, name, 'skills')))
  const texts = folders.flatMap((folder) => TEXTS.map((name) => join(folder, name, 'commands')))
  const ofProject = await Promise.all([...skills.map(skillsIn), ...texts.map(textsIn)])
  const ofUser = await Promise.all([...ofHome.skills.map(skillsIn), ...ofHome.texts.map(textsIn)])
  const found = [...ofProject.flat().map(markedAsOfProject), ...ofUser.flat()].map(toOffered)
  const byName = new Map<string, Offered>()
  for (const each of found) if (!byName.has(each.name)) byName.set(each.name, each)
  return [...byName.values()]
}

const SKILLS = ['.github', '.agents', '.claude']
const TEXTS = ['.claude', '.reprise']

/** One that was read, with where it was. */
type Read = { readonly offered: Offered; readonly file: string; readonly text: string }

const toOffered = ({ offered }: Read): Offered => offered

/** A text that changes is another one. */
const markedAsOfProject = ({ offered, file, text }: Read): Read => {
  const digest = createHash('sha256').update(`${file}\0${text}`).digest('hex')
  return { file, text, offered: { ...offered, ofProject: { file, text, digest } } }
}

/** The folder, and those above it up to the root. */
function between(folder: string, root: string): readonly string[] {
  const above = dirname(folder)
  return folder === root || above === folder ? [folder] : [folder, ...between(above, root)]
}

async function skillsIn(folder: string): Promise<readonly Read[]> {
  const files = (await namesIn(folder)).map((name) => join(folder, name, 'SKILL.md'))
  return (await Promise.all(files.map(readCommand))).flat()
}

async function textsIn(folder: string): Promise<readonly Read[]> {
  const files = (await namesIn(folder)).filter((name) => name.endsWith('.md'))
  return (await Promise.all(files.map((name) => readCommand(join(folder, name))))).flat()
}

async function readCommand(file: string): Promise<readonly Read[]> {
  const text = await readSmallText(file)
  if (text === undefined) return []
  const isSkill = basename(file) === 'SKILL.md'
  const { about, body } = split(text)
  const name = String(about.get('name') ?? basename(isSkill ? dirname(file) : file, '.md'))
  const described = about.get('description') ?? (isSkill ? undefined : body.split('\n', 1)[0])
  // The Copilot CLI leaves out a skill that says nothing of itself, too.
  if (described === undefined || about.get('user-invocable') === false) return []
  const hint = about.get('argument-hint')
  const offered: Offered = {
    name: name.trim().replaceAll(/\s+/g, '-'),
    summary: String(described),
    ...(typeof hint === 'string' && { hint }),
    isOfUser: true,
    message: (input) => promptOf(name, dirname(file), filled(body, input)),
  }
  return [{ offered, file, text }]
}

function split(text: string): { about: ReadonlyMap<string, PlainValue>; body: string } {
  const [all = '', head = ''] = /^---\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? []
  const lines = head.split(/\r?\n/).flatMap((line) => {
    const read = parseLine(line)
    return read === undefined ? [] : [read]
  })
  return { about: new Map(lines), body: text.slice(all.length).trim() }
}

/** `$ARGUMENTS` is all that was typed, `$1` the first word or quoted words of it. */
function filled(body: string, input: string): string {
  if (!PLACE.test(body)) return input === '' ? body : `${body}\n\n${input}`
  const words = [...input.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
  return body.replaceAll(new RegExp(PLACE, 'g'), (_, digit?: string) =>
    digit === undefined ? input : (words[Number(digit) - 1] ?? ''),
  )
}

/** A price is none: behind the digit comes neither another one nor a fraction. */
const PLACE = /\$(?:ARGUMENTS\b|([1-9])(?![\w]|[.,]\d))/

const promptOf = (name: string, folder: string, text: string): string =>
  `The user has asked for the command "/${name}" of the files in ${folder}. Do what it says:\n\n${text}`
