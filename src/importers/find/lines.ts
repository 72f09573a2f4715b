/** Agents that keep a session in a file of lines: Claude Code, Codex, Gemini CLI, Qwen Code, pi. */
import { basename, dirname, join } from 'node:path'
import { defined } from '../../lib/defined.ts'
import { fieldsOf } from '../../lib/fields.ts'
import type { Finder, FoundFile, Surroundings } from '../found.ts'
import { fileAt, filesIn, foldersIn, listOf, objectAt, sessionOf, textAt } from '../scan-folders.ts'

const claudeRoot = (around: Surroundings): string =>
  around.root ?? join(around.env['CLAUDE_CONFIG_DIR'] || join(around.home, '.claude'), 'projects')

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const claude: Finder = {
  roots: (around) => [claudeRoot(around)],
  async *find(around) {
    for (const project of await foldersIn(claudeRoot(around), around)) {
      for (const { name, path, isFolder } of await listOf(project.path, around)) {
        const nativeId = basename(name, '.jsonl')
        if (isFolder || !name.endsWith('.jsonl') || !UUID.test(nativeId)) continue
        const main = await fileAt(path, 'main', 'lines')
        yield sessionOf({ agent: 'claude', nativeId }, [
          main,
          ...(await subAgents(join(project.path, nativeId, 'subagents'), around)),
        ])
      }
    }
  },
}

/** What the sub-agents of a session of Claude Code wrote. */
export async function subAgents(
  folder: string,
  around: Surroundings,
): Promise<(FoundFile | undefined)[]> {
  const files: (FoundFile | undefined)[] = []
  for (const { name, path } of await listOf(folder, around)) {
    const [, id, kind] = /^agent-([\w-]+)(\.meta\.json|\.jsonl)$/.exec(name) ?? []
    if (id === undefined) continue
    files.push(
      await (kind === '.jsonl'
        ? fileAt(path, `subagent ${id}`, 'lines')
        : fileAt(path, `meta ${id}`, 'whole')),
    )
  }
  return files
}

const codexRoot = (around: Surroundings): string =>
  around.root ?? (around.env['CODEX_HOME'] || join(around.home, '.codex'))

export const codex: Finder = {
  roots: (around) => ['sessions', 'archived_sessions'].map((name) => join(codexRoot(around), name)),
  async *find(around) {
    for (const root of this.roots(around)) {
      for await (const { name, path } of filesIn(root, around)) {
        const nativeId = /^rollout-.*?([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl(?:\.zst)?$/.exec(name)?.[1]
        if (nativeId === undefined) continue
        yield sessionOf({ agent: 'codex', nativeId }, [await fileAt(path, 'main', 'lines')])
      }
    }
  },
}

export const gemini: Finder = {
  roots: ({ root, env, home }) => [root ?? join(env['GEMINI_CLI_HOME'] || home, '.gemini/tmp')],
  async *find(around) {
    const [root = ''] = this.roots(around)
    const projects = fieldsOf((await objectAt(join(dirname(root), 'projects.json')))?.['projects'])
    for (const { name: project, path: folder } of await foldersIn(root, around)) {
      const told = (await textAt(join(folder, '.project_root')))?.trim()
      const named = Object.entries(projects).find(([, name]) => name === project)?.[0]
      for (const { name, path, isFolder } of await listOf(join(folder, 'chats'), around)) {
        const shape = name.endsWith('.jsonl') ? 'lines' : 'whole'
        const nativeId = /^session-(.+)\.jsonl?$/.exec(name)?.[1]
        if (isFolder || nativeId === undefined) continue
        const main = await fileAt(path, 'main', shape)
        yield sessionOf(
          {
            agent: 'gemini',
            nativeId: `${project}/${nativeId}`,
            ...defined({ cwd: told ?? named }),
          },
          [main],
        )
      }
    }
  },
}

const qwenHome = ({ env, home }: Surroundings): string =>
  env['QWEN_RUNTIME_DIR'] || env['QWEN_HOME'] || join(home, '.qwen')

export const qwen: Finder = {
  roots: (around) => [around.root ?? join(qwenHome(around), 'projects')],
  async *find(around) {
    for (const project of await foldersIn(this.roots(around)[0] ?? '', around)) {
      // Those that were archived lie in a folder among the others.
      for await (const { name, path } of filesIn(join(project.path, 'chats'), around, 1)) {
        if (!name.endsWith('.jsonl')) continue
        const nativeId = basename(name, '.jsonl')
        yield sessionOf({ agent: 'qwen', nativeId }, [await fileAt(path, 'main', 'lines')])
      }
    }
  },
}

const piRoot = (around: Surroundings): string =>
  around.root ??
  join(around.env['PI_CODING_AGENT_DIR'] || join(around.home, '.pi', 'agent'), 'sessions')

export const pi: Finder = {
  roots: (around) => [piRoot(around)],
  async *find(around) {
    for await (const { name, path } of filesIn(piRoot(around), around, 2)) {
      const nativeId = /^[^_]+_([\w-]+)\.jsonl$/.exec(name)?.[1]
      if (nativeId === undefined) continue
      yield sessionOf({ agent: 'pi', nativeId }, [await fileAt(path, 'main', 'lines')])
    }
  },
}
