/** Agents that keep a session in files of other forms: Copilot CLI, Cline and Roo, Aider. */
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { SESSION_ID } from '../../format/ids.ts'
import type { Finder, FoundFile, Surroundings } from '../found.ts'
import { fileAt, filesIn, foldersIn, listOf, sessionOf } from '../scan-folders.ts'

const copilotRoot = (around: Surroundings): string =>
  around.root ?? (around.env['COPILOT_HOME'] || join(around.home, '.copilot'))

/** In `history-session-state`, of versions before 0.0.342. */
export const oldCopilotId = (name: string): string | undefined =>
  /^(?:session_)?([0-9a-f-]{36})(?:_\d+)?\.json$/.exec(name)?.[1]

export const copilot: Finder = {
  roots: (around) =>
    ['session-state', 'history-session-state'].map((name) => join(copilotRoot(around), name)),
  async *find(around) {
    const [state = '', history = ''] = this.roots(around)
    for (const { name, path, isFolder } of await listOf(state, around)) {
      // A flat log of early versions has the same lines as one in a folder.
      const nativeId = isFolder ? name : name.replace(/\.jsonl$/, '')
      if (!SESSION_ID.test(nativeId) || (!isFolder && nativeId === name)) continue
      const log = await fileAt(isFolder ? join(path, 'events.jsonl') : path, 'main', 'lines')
      if (log === undefined || log.bytes === 0) continue
      const others = isFolder ? await besides(path, around) : []
      yield sessionOf({ agent: 'copilot', nativeId, folder: path }, [log, ...others])
    }
    for (const { name, path, isFolder } of await listOf(history, around)) {
      const nativeId = oldCopilotId(name)
      if (isFolder || nativeId === undefined) continue
      yield sessionOf({ agent: 'copilot', nativeId }, [await fileAt(path, 'main', 'whole')])
    }
  },
}

/** The files of a session besides its log: those that are in its format. */
async function besides(folder: string, around: Surroundings): Promise<(FoundFile | undefined)[]> {
  const files = [
    await fileAt(join(folder, 'workspace.yaml'), 'file workspace.yaml', 'text'),
    ...(await Promise.all(
      ['plan.md', 'session.db', 'session.db-wal'].map((name) =>
        fileAt(join(folder, name), `file ${name}`, 'text'),
      ),
    )),
  ]
  for (const name of ['checkpoints', 'files', 'research'])
    for await (const { path } of filesIn(join(folder, name), around))
      files.push(await fileAt(path, `file ${path.slice(folder.length + 1)}`, 'text'))
  return files
}

const EDITORS = ['Code', 'Code - Insiders', 'Cursor', 'VSCodium', 'Windsurf']
const PUBLISHERS = ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline']

/** Where editors keep what belongs to a user, on this system or another. */
export const editorFolders = ({ home, env }: Surroundings, names = EDITORS): readonly string[] =>
  names.flatMap((name) => [
    join(env['XDG_CONFIG_HOME'] || join(home, '.config'), name, 'User'),
    join(home, 'Library/Application Support', name, 'User'),
    ...(env['APPDATA'] ? [join(env['APPDATA'], name, 'User')] : []),
  ])

export const cline: Finder = {
  roots: (around) =>
    around.root === undefined
      ? [
          ...editorFolders(around).flatMap((folder) =>
            PUBLISHERS.map((publisher) => join(folder, 'globalStorage', publisher, 'tasks')),
          ),
          join(around.home, '.cline/data/tasks'),
        ]
      : [around.root],
  async *find(around) {
    for (const root of this.roots(around)) {
      for (const { name, path } of await foldersIn(root, around)) {
        const main = await fileAt(join(path, 'api_conversation_history.json'), 'main', 'whole')
        if (main === undefined) continue
        const ui = await fileAt(join(path, 'ui_messages.json'), 'ui', 'whole')
        yield sessionOf({ agent: 'cline', nativeId: name }, [main, ui])
      }
    }
  },
}

/** It keeps its history in the project: only the folder that is given, or the one that is worked in, is looked at. */
export const aider: Finder = {
  roots({ root, env }) {
    const place = root ?? env['PWD']
    if (!place) return []
    return [place.endsWith('.md') ? place : join(place, '.aider.chat.history.md')]
  },
  async *find(around) {
    for (const path of this.roots(around)) {
      const main = await fileAt(path, 'main', 'text')
      if (main === undefined) continue
      const nativeId = createHash('sha256').update(path).digest('hex').slice(0, 32)
      yield sessionOf({ agent: 'aider', nativeId, cwd: dirname(path) }, [main])
    }
  },
}
