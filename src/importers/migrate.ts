/**
 * A whole home of the Copilot CLI, copied into this one: its sessions by the reader of `import`, what was typed, and its
 * plugins as they are. Its index is not: ours is made from the logs. Nothing there is changed, and each step can be done
 * again: what was taken is left as it is, what a kill left undone is done.
 */
import { join } from 'node:path'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import { promptHistory } from '../engine/sessions/prompt-history.ts'
import { layout } from '../format/layout.ts'
import { homeFolder, pathFrom } from '../format/paths.ts'
import { takeIn } from '../fs/import-file.ts'
import { isFields } from '../lib/fields.ts'
import { isFolder } from '../lib/is-folder.ts'
import { oldCopilotId } from './find/files.ts'
import type { Surroundings } from './found.ts'
import { fileAt, filesIn, listOf, objectAt } from './scan-folders.ts'
import { importPass, type ImportPass } from './service.ts'

export type Migrated = ImportPass & {
  readonly from: string
  readonly dryRun: boolean
  /** Messages that were typed there and were not known here. */
  readonly typed: number
  /** Files of plugins that were not here. */
  readonly pluginFiles: number
  /** What stays where it is, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[]
}

type Migrating = {
  readonly root: string
  readonly around: Surroundings
  readonly dryRun: boolean
  readonly now: () => Date
  readonly signal?: AbortSignal
  readonly onProgress?: (text: string) => void
}

export async function migrate(engine: Engine, migrating: Migrating): Promise<Migrated> {
  const { root, around, dryRun } = migrating
  if (!(await isFolder(root)))
    throw new EngineError(
      'not_found',
      `There is no folder ${root}, where a home of the Copilot CLI would be. Nothing was changed; --from names one.`,
    )
  const pass = await importPass(engine, {
    ...migrating,
    agents: ['copilot'],
    around: { ...around, root },
  })
  return {
    ...pass,
    from: root,
    dryRun,
    typed: await takeTyped(engine, root, dryRun),
    pluginFiles: await takePlugins(engine, root, dryRun),
    left: await leftThere(root),
  }
}

/** Its own names for what was typed before. */
const TYPED = ['command-history-state.json', 'command-history-state/command-history-state.json']

async function takeTyped(engine: Engine, root: string, dryRun: boolean): Promise<number> {
  const history = promptHistory(engine)
  const known = new Set(await history.load())
  let taken = 0
  for (const name of TYPED) {
    for (const text of textsIn(await objectAt(join(root, name)))) {
      if (known.has(text)) continue
      known.add(text)
      taken += 1
      if (!dryRun) await history.add(text)
    }
  }
  return taken
}

/** Lists of texts, or of objects with one. */
function textsIn(value: unknown, depth = 3): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((each) =>
      typeof each === 'string' ? [each] : isFields(each) ? textOf(each) : [],
    )
  if (!isFields(value) || depth === 0) return []
  return Object.values(value).flatMap((inner) => textsIn(inner, depth - 1))
}

const textOf = (entry: object): string[] => {
  const { text, command, prompt } = entry as Record<string, unknown>
  const found = [text, command, prompt].find((each) => typeof each === 'string')
  return found === undefined ? [] : [found]
}

const PLUGINS = homeFolder('copilotPlugins')

/** As they are: nothing of them is run by that. */
async function takePlugins(engine: Engine, root: string, dryRun: boolean): Promise<number> {
  const folder = join(root, PLUGINS)
  let taken = 0
  for await (const { path } of filesIn(folder, {})) {
    const name = path.slice(folder.length + 1).replaceAll('\\', '/')
    const to = pathFrom(layout.home.copilotPlugins, { path: name })
    const found = await fileAt(path, '', 'text')
    if (found === undefined || (await engine.fs.stat(to))?.size === found.bytes) continue
    taken += 1
    if (!dryRun) await takeIn(engine.fs, path, to)
  }
  return taken
}

const LEFT: readonly (readonly [name: string, why: string])[] = [
  ['session-store.db', 'the index is made anew from the logs, with what was deleted left out'],
  ['config.json', 'settings and logins of the Copilot CLI are its own'],
  ['settings.json', 'settings and logins of the Copilot CLI are its own'],
  ['mcp-config.json', 'programs are run only when you name them here: reprise config'],
]

async function leftThere(root: string): Promise<Migrated['left']> {
  const left: { name: string; why: string }[] = []
  for (const [name, why] of LEFT)
    if ((await fileAt(join(root, name), '', 'text')) !== undefined) left.push({ name, why })
  for (const { name } of await listOf(join(root, OLD), {}))
    if (oldCopilotId(name) === undefined)
      left.push({ name: `${OLD}/${name}`, why: 'it is not called as a session is' })
  return left
}

const OLD = 'history-session-state'
