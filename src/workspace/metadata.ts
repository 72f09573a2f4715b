/**
 * workspace.yaml: what lists and pickers tell of a session. It can be rebuilt from the log, so a broken
 * file is set aside, never guessed at and never deleted. Keys that we do not know are kept.
 */
import { asSessionId, type SessionId } from '../format/ids.ts'
import { layout } from '../format/layout.ts'
import { fileName, sessionFolder } from '../format/paths.ts'
import {
  parsePlainYaml,
  printWorkspaceFile,
  toWorkspaceFile,
  type WorkspaceFile,
} from '../format/workspace-file.ts'
import type { FileStat, ReadFile, SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { defined } from '../lib/defined.ts'
import { inTurn } from '../lib/keyed-mutex.ts'
import { withoutSequences } from '../lib/safe-text.ts'

const METADATA = layout.session.metadata.path

/** Far beyond any real one; a reader of YAML can be kept busy for long by a large one. */
const SIZE_LIMIT = 64 * 1024

type MetadataRead =
  { readonly file: WorkspaceFile } | { readonly missing: true } | { readonly broken: string }

/** A field set to undefined is left out of the file. */
export type MetadataFields = { readonly [K in keyof WorkspaceFile]?: WorkspaceFile[K] | undefined }

export async function readMetadata(fs: SessionFs, dir: string): Promise<MetadataRead> {
  const path = `${dir}/${METADATA}`
  let file: ReadFile | undefined
  try {
    file = await fs.openRead(path)
  } catch (error) {
    const kind = (await fs.stat(path))?.kind
    if (kind === 'folder' || kind === 'other') return { broken: 'not a regular file' }
    throw error
  }
  if (file === undefined) return { missing: true }
  try {
    if (file.size > SIZE_LIMIT) return { broken: `larger than ${SIZE_LIMIT} bytes` }
    const bytes = new Uint8Array(file.size)
    return await parseMetadata(decodeText(bytes.subarray(0, await file.read(bytes, 0))))
  } finally {
    await file.close()
  }
}

async function parseMetadata(text: string): Promise<MetadataRead> {
  let values: unknown
  try {
    values = parsePlainYaml(text) ?? (await parseAnyYaml(text))
  } catch (error) {
    return { broken: error instanceof Error ? firstLine(error.message) : String(error) }
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    return { broken: 'not a list of keys and values' }
  }
  const read = toWorkspaceFile(values as Record<string, unknown>)
  return 'ok' in read ? { file: read.ok } : { broken: read.problem }
}

/** Loaded only for files that people or other programs wrote in their own way. */
const parseAnyYaml = async (text: string): Promise<unknown> =>
  (await import('./any-yaml.ts')).parseAnyYaml(text)

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

export async function writeMetadata(
  fs: SessionFs,
  dir: string,
  file: MetadataFields & Pick<WorkspaceFile, 'id'>,
  { durable = true }: { readonly durable?: boolean } = {},
): Promise<void> {
  await fs.writeAtomic(`${dir}/${METADATA}`, encodeText(print(file)), { durable })
}

const print = (file: MetadataFields): string => printWorkspaceFile(file as WorkspaceFile)

type UpdateOptions = {
  /** What to begin with when the file is missing or broken. Without it, the session's id alone. */
  readonly rebuild?: () => Promise<WorkspaceFile>
}

/**
 * Reads, changes and replaces the file. Updates of this process wait for each other; when another
 * process replaced the file in between, the change is made again on what it wrote.
 */
export function updateMetadata(
  fs: SessionFs,
  dir: string,
  change: (file: WorkspaceFile) => MetadataFields,
  options: UpdateOptions = {},
): Promise<void> {
  const path = `${dir}/${METADATA}`
  return inTurn(fs.lockKey(path), async () => {
    for (let attempt = 1; ; attempt++) {
      const before = await fs.stat(path)
      const read = await readMetadata(fs, dir)
      const file = 'file' in read ? read.file : await startAgain(dir, options)
      const changed = { ...change(file), id: file.id }
      if ('file' in read && print(changed) === print(file)) return
      if (!isSame(before, await fs.stat(path)) && attempt < ATTEMPTS) continue
      if ('broken' in read) await setAsideBroken(fs, dir)
      return writeMetadata(fs, dir, changed)
    }
  })
}

const ATTEMPTS = 5

const isSame = (one: FileStat | undefined, other: FileStat | undefined): boolean =>
  one?.identity === other?.identity && one?.mtimeMs === other?.mtimeMs && one?.size === other?.size

const startAgain = (
  dir: string,
  { rebuild }: UpdateOptions,
): Promise<WorkspaceFile> | WorkspaceFile =>
  rebuild?.() ?? { id: asSessionId(dir.slice(dir.lastIndexOf('/') + 1)) }

/** Moves an unreadable file out of the way, so that a rebuilt one can take its place. Says where to. */
export async function setAsideBroken(fs: SessionFs, dir: string): Promise<string> {
  const folder = sessionFolder(dir, 'brokenMetadata')
  const taken = new Set((await fs.list(folder)).map(({ name }) => name))
  let number = 1
  const nameOf = (n: number) => fileName(layout.session.brokenMetadata, { n })
  while (taken.has(nameOf(number))) number++
  const target = `${folder}/${nameOf(number)}`
  await fs.rename(`${dir}/${METADATA}`, target)
  return target
}

type LogFacts = {
  readonly id: SessionId
  readonly project?: {
    readonly cwd?: string
    readonly gitRoot?: string
    readonly repository?: string
    readonly hostType?: string
    readonly branch?: string
  }
  /** The title that the agent gave, or the first prompt. */
  readonly words?: string
  readonly checkpoints: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** What the file would say if it had not been lost, as far as the log can tell. */
export function metadataFromLog(facts: LogFacts): WorkspaceFile {
  const { cwd, gitRoot, repository, hostType, branch } = facts.project ?? {}
  const name = facts.words === undefined ? undefined : autoName(facts.words)
  return {
    id: facts.id,
    ...defined({ cwd, git_root: gitRoot, repository, host_type: hostType, branch, name }),
    user_named: false,
    summary_count: facts.checkpoints,
    created_at: facts.createdAt,
    updated_at: facts.updatedAt,
  }
}

const LONGEST = 80

/** A longer title is cut where its first sentence ends, or between two words. */
const LONG = 60

/**
 * The name of a session that nobody named: the first words of its first prompt that people wrote. What was pasted, such as
 * a diff or a fence, names nothing while anything else does.
 */
export function autoName(prompt: string): string | undefined {
  const lines = linesOf(prompt)
  const line = lines.find((each) => !PASTED.test(each)) ?? lines[0]
  return line === undefined ? undefined : shortened(withoutCourtesy(line))
}

/** What people say before they say what they want. */
const COURTESY =
  /^(?:(?:hi|hello|hey)(?: there)?[,.!]?\s+)?(?:please,?|(?:can|could|would|will) you(?: please)?|(?:i(?:'d| would) like|i want|i need) you to(?: please)?|help me(?: to)?)\s+(?=\p{L}\S*\s)/iu

function withoutCourtesy(line: string): string {
  const wish = line.replace(COURTESY, '')
  return wish === line ? line : `${wish.charAt(0).toUpperCase()}${wish.slice(1)}`
}

const PASTED =
  /^(?:diff --git |index [0-9a-f]+\.\.|--- |\+\+\+ |@@ |[+-]\S|```|~~~|at \S+ \(|[{}[\]<>|#=*\-_ ]+$)/

function shortened(line: string): string {
  const signs = Array.from(line)
  if (signs.length <= LONG) return line
  const head = signs.slice(0, LONG).join('')
  const sentence = /^.{12,}?[.?!;:](?= )/u.exec(head)?.[0]
  if (sentence !== undefined) return sentence.replace(/[.;:]$/, '')
  const blank = head.lastIndexOf(' ')
  return blank > LONG / 2 ? `${head.slice(0, blank)}…` : signs.slice(0, LONGEST).join('').trimEnd()
}

function linesOf(prompt: string): string[] {
  // Long prompts are not scanned whole; a name needs little more than their beginning.
  return withoutSequences(prompt.slice(0, 4096).toWellFormed())
    .split(/[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/\t/g, ' ').replace(UNPRINTABLE, '').trim())
    .filter((line) => line !== '')
}

/** Control characters, and those that make text run the other way. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
