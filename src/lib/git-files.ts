/**
 * Reads a git repository's own files, and never runs git: a repository's configuration can make the
 * git program execute what its author likes. Reads are bounded, links to devices and pipes are not
 * opened, and whatever cannot be read is simply not known.
 */
import { constants } from 'node:fs'
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'

export type GitFolders = {
  /** Where the files are checked out: the folder that holds `.git`. */
  readonly workTree: string
  /** HEAD of this work tree. */
  readonly gitDir: string
  /** What all work trees of one repository share: refs, configuration, the first reflog. */
  readonly commonDir: string
}

const SMALL = 4 * 1024
const CONFIG_LIMIT = 64 * 1024
const PACKED_REFS_LIMIT = 4 * 1024 * 1024

export async function findGitFolders(from: string): Promise<GitFolders | undefined> {
  let folder = await realpath(from).catch(() => resolve(from))
  for (;;) {
    const found = await gitFoldersAt(folder)
    if (found === 'dangling') return undefined
    if (found !== undefined) return found
    const parent = dirname(folder)
    if (parent === folder) return undefined
    folder = parent
  }
}

/** 'dangling': a work tree whose repository is gone. It does not belong to a repository further up. */
async function gitFoldersAt(workTree: string): Promise<GitFolders | 'dangling' | undefined> {
  const dotGit = join(workTree, '.git')
  const stats = await stat(dotGit).catch(() => undefined) // no repository here; one above is looked for
  if (stats === undefined) return undefined
  if (stats.isDirectory()) {
    if (!(await isGitDir(dotGit))) return undefined
    return { workTree, gitDir: dotGit, commonDir: await commonDirOf(dotGit) }
  }
  const pointer = /^gitdir: (.+?)[\r\n]*$/.exec((await readStart(dotGit, SMALL)) ?? '')?.[1]
  if (pointer === undefined) return undefined
  const gitDir = absolute(workTree, pointer)
  if (!(await isGitDir(gitDir))) return 'dangling'
  return { workTree, gitDir, commonDir: await commonDirOf(gitDir) }
}

const isGitDir = async (path: string): Promise<boolean> =>
  // A link in old repositories; mostly it is none, and is read.
  (await readlink(join(path, 'HEAD')).catch(() => undefined)) !== undefined ||
  (await readStart(join(path, 'HEAD'), SMALL)) !== undefined

async function commonDirOf(gitDir: string): Promise<string> {
  const pointer = (await readStart(join(gitDir, 'commondir'), SMALL))?.trim()
  const common = pointer === undefined || pointer === '' ? gitDir : absolute(gitDir, pointer)
  return realpath(common).catch(() => common)
}

const absolute = (base: string, path: string): string =>
  isAbsolute(path) ? path : resolve(base, path)

type GitHead = {
  /** Missing when HEAD is detached, or kept where we do not look (reftable). */
  readonly ref: string | undefined
  /** Missing when there is no commit yet. */
  readonly commit: string | undefined
}

export async function readGitHead({ gitDir, commonDir }: GitFolders): Promise<GitHead> {
  const path = join(gitDir, 'HEAD')
  // Old repositories made HEAD a symbolic link to the branch's file.
  const link = await readlink(path).catch(() => undefined)
  const text = link === undefined ? ((await readStart(path, SMALL)) ?? '') : `ref: ${link}`
  const ref = text.startsWith('ref:') ? text.slice('ref:'.length).trim() : ''
  if (ref === '') return { ref: undefined, commit: commitIn(text) }
  if (!isRefName(ref)) return { ref: undefined, commit: undefined }
  const commit =
    commitIn((await readStart(join(commonDir, ref), SMALL)) ?? '') ??
    commitIn((await readStart(join(gitDir, ref), SMALL)) ?? '') ??
    (await packedCommit(commonDir, ref))
  return { ref, commit }
}

/** Git's own rules, which also keep a forged HEAD from naming a file outside the repository. */
function isRefName(ref: string): boolean {
  if (!ref.startsWith('refs/') || ref.includes('..') || ref.endsWith('.lock')) return false
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return !/[\u0000-\u0020\u007f~^:?*[\\]|\/\.|\/\/|\/$/.test(ref)
}

const commitIn = (text: string): string | undefined =>
  /^([0-9a-f]{40}|[0-9a-f]{64})(?=\s|$)/.exec(text)?.[1]

async function packedCommit(commonDir: string, ref: string): Promise<string | undefined> {
  const handle = await openFile(join(commonDir, 'packed-refs'))
  if (handle === undefined) return undefined
  const chunks = handle.createReadStream({
    encoding: 'utf8',
    end: PACKED_REFS_LIMIT,
    highWaterMark: CONFIG_LIMIT,
  })
  let open = ''
  try {
    for await (const chunk of chunks) {
      const lines = (open + String(chunk)).split('\n')
      open = lines.pop() ?? ''
      const line = lines.find((candidate) => candidate.trimEnd().endsWith(` ${ref}`))
      if (line !== undefined) return commitIn(line)
    }
  } catch {
    // No packed refs, or unreadable ones: the commit is not known, and a session works without it.
    return undefined
  }
  return open.endsWith(` ${ref}`) ? commitIn(open) : undefined
}

export const readGitConfig = ({ commonDir }: GitFolders): Promise<string> =>
  readWholeLines(join(commonDir, 'config'))

/** What the user set for all repositories. */
export async function readUserGitConfig(home: string): Promise<string> {
  const xdg = await readWholeLines(join(home, '.config', 'git', 'config'))
  return `${xdg}\n${await readWholeLines(join(home, '.gitconfig'))}`
}

/** The oldest line that the repository still has about its HEAD. */
export const readFirstReflogLine = async ({ commonDir }: GitFolders): Promise<string | undefined> =>
  (await readStart(join(commonDir, 'logs', 'HEAD'), SMALL))?.split('\n', 1)[0]

async function readWholeLines(path: string): Promise<string> {
  const text = (await readStart(path, CONFIG_LIMIT)) ?? ''
  return text.length < CONFIG_LIMIT ? text : text.slice(0, text.lastIndexOf('\n') + 1)
}

/** The first bytes of a regular file; undefined when there is none that can be read. */
async function readStart(path: string, limit: number): Promise<string | undefined> {
  const handle = await openFile(path)
  if (handle === undefined) return undefined
  try {
    const bytes = Buffer.alloc(limit)
    const { bytesRead } = await handle.read(bytes, 0, limit, 0)
    return bytes.toString('utf8', 0, bytesRead)
  } catch {
    // Unreadable is the same as unknown here.
    return undefined
  } finally {
    await handle.close()
  }
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if ((await handle.stat()).isFile()) return handle
    await handle.close()
  } catch {
    // Unreadable is the same as unknown here.
  }
  return undefined
}
