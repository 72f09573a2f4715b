/** The session's own folder: what is known of it, its files, its checkpoints. Paths are relative to its files/. */
import { z } from 'zod'
import { whereFound } from '../failure.ts'
import { EngineError } from '../../../engine/errors.ts'
import { layout } from '../../../format/layout.ts'
import { fixedStart, inSession } from '../../../format/paths.ts'
import { decodeText, encodeText } from '../../../lib/bytes.ts'
import { defined } from '../../../lib/defined.ts'
import type { HostedSession } from '../hosted-session.ts'
import { passOn, sessionMethod, type Methods } from '../method.ts'
import { diffOf } from '../workspace-diff.ts'
import { workspaceOf } from './session.ts'

const path = z.string().min(1)
const FILES = fixedStart(layout.session.files)
const inFiles = (name: string) => FILES + name

export const workspaceMethods: Methods = {
  'session.workspaces.getWorkspace': sessionMethod('What workspace.yaml tells.', describe),
  'session.workspaces.ensure': sessionMethod(
    'Makes the folder, when it is not there yet.',
    async (session) => {
      await session.ops.save()
      return describe(session)
    },
  ),
  'session.workspaces.updateMetadata': sessionMethod(
    'Changes what workspace.yaml tells.',
    { name: z.string().optional() },
    async (session, { name }) => {
      const { ops } = session
      await ops.save()
      if (name !== undefined) await ops.rename(name)
      return describe(session)
    },
  ),
  'session.workspaces.listFiles': sessionMethod('Files, at all levels.', async ({ ops }) => {
    if (ops.now?.hasLog !== true) return { files: [] }
    const files = await ops.files()
    return {
      files: files.flatMap(({ path: at }) =>
        at.startsWith(FILES) ? [at.slice(FILES.length)] : [],
      ),
    }
  }),
  'session.workspaces.readFile': sessionMethod(
    'The text of a file.',
    { path },
    async ({ ops }, { path: at }) => ({
      content: decodeText(await plain(() => ops.readFile(inFiles(at)))),
    }),
  ),
  'session.workspaces.createFile': sessionMethod(
    'Writes a file.',
    { path, content: z.string() },
    ({ ops }, { path: at, content }) =>
      plain(() => ops.writeFile(inFiles(at), encodeText(content))),
  ),
  'session.workspaces.statFile': passOn('statPath', {
    summary: 'What is at a path.',
    takes: { path },
    to: ({ path: at }) => [at],
    from: ({ kind, size, mtimeMs }) => ({
      isFile: kind === 'file',
      isDirectory: kind === 'folder',
      size,
      mtimeMs,
      birthtimeMs: mtimeMs,
    }),
  }),
  'session.workspaces.createDirectory': passOn('createFolder', {
    summary: 'Makes a folder and those above it.',
    takes: { path, recursive: z.boolean().optional() },
    to: ({ path: at }) => [at],
  }),
  'session.workspaces.removePath': sessionMethod(
    'Removes a file or folder.',
    { path, recursive: z.boolean().optional(), force: z.boolean().optional() },
    async ({ ops }, { path: at, recursive = false, force = false }) => {
      const removing = ops.removePath(at, { recursive })
      await (force ? whereFound(removing, null) : removing)
    },
  ),
  'session.workspaces.renamePath': passOn('renamePath', {
    summary: 'Moves a file or folder.',
    takes: { source: path, destination: path },
    to: ({ source, destination }) => [source, destination],
  }),
  'session.workspaces.listCheckpoints': sessionMethod(
    'Summaries that compactions made.',
    async ({ ops }) => {
      if (ops.now?.hasLog !== true) return { checkpoints: [] }
      const all = await ops.checkpoints()
      return {
        checkpoints: all.map(({ number, title, file }) => ({ number, title, filename: file })),
      }
    },
  ),
  'session.workspaces.readCheckpoint': passOn('readCheckpoint', {
    summary: 'One of them.',
    takes: { number: z.int().positive() },
    to: ({ number }) => [number],
    from: (content) => ({ content }),
    missing: { content: null },
  }),
  'session.workspaces.addSummary': sessionMethod(
    'Refused: checkpoints come from compactions, which the log tells of.',
    { title: z.string(), content: z.string() },
    () => {
      throw new EngineError(
        'invalid',
        'Checkpoints follow the log. Nothing was written. Use session.history.compact.',
      )
    },
  ),
  'session.workspaces.truncateSummaries': sessionMethod(
    'Refused where checkpoints would go: they follow the log, and a rewind takes them.',
    { keepCount: z.int().min(0) },
    async (session, { keepCount }) => {
      const { ops } = session
      const count = ops.now?.hasLog === true ? (await ops.checkpoints()).length : 0
      if (count > keepCount) {
        throw new EngineError(
          'invalid',
          'Checkpoints follow the log. Nothing was removed. Use session.history.rewind.',
        )
      }
      return describe(session)
    },
  ),
  'session.workspaces.saveLargePaste': sessionMethod(
    'Keeps a long text as a file.',
    { content: z.string() },
    async (session, { content }) => {
      const { ops } = session
      const filename = `paste-${Date.now()}-${crypto.randomUUID().slice(0, 8)}.txt`
      const bytes = encodeText(content)
      await ops.writeFile(inFiles(filename), bytes)
      const filePath = inSession(workspaceOf(session), 'files', { path: filename })
      return { saved: { filePath, filename, sizeBytes: bytes.length } }
    },
  ),
  'session.workspaces.diff': sessionMethod(
    'What differs in the project: from the last commit, from the default branch, or by what the session changed.',
    {
      mode: z.enum(['unstaged', 'branch', 'session']),
      ignoreWhitespace: z.boolean().optional(),
    },
    ({ ops, parts }, { mode, ignoreWhitespace }) =>
      diffOf({ ops, cwd: ops.now?.cwd ?? parts.cwd }, mode, defined({ ignoreWhitespace })),
  ),
}

async function describe(session: HostedSession) {
  const file = await session.ops.workspaceFile()
  if (file === undefined) return { workspace: null }
  const { unknown: _notOurs, ...workspace } = file
  return { workspace, path: workspaceOf(session) }
}

/** Paths that the workspace refuses are a wish of the client, not a fault. */
async function plain<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (cause) {
    if (cause instanceof EngineError || !(cause instanceof Error)) throw cause
    throw new EngineError('invalid', cause.message, { cause })
  }
}
