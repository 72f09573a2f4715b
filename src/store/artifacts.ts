/** The plan and the files of a session's own folder, as text to search in. Binary files are known and not read. */
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText } from '../lib/bytes.ts'
import { readRange, withFile } from '../log/range.ts'
import { FILES, RESEARCH, filesBelow } from '../workspace/files.ts'
import { PLAN } from '../workspace/plan.ts'
import { MAX_ARTIFACT, clean, head } from './text.ts'

export type Artifact = {
  /** Relative to the session's folder. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** Undefined when the store has it already; empty when there is nothing to search in. */
  readonly text?: string
}

/** So many files of one session: a tool may fill the folder with anything. */
const MOST = 200

export async function readArtifacts(
  fs: SessionFs,
  dir: string,
  known: ReadonlyMap<string, { readonly size: number; readonly mtimeMs: number }>,
  redact: (text: string) => string = (text) => text,
): Promise<Artifact[]> {
  const [plan, ...folders] = await fs.statMany(
    [PLAN, FILES, RESEARCH].map((name) => `${dir}/${name}`),
  )
  const paths = plan === undefined ? [] : [`${dir}/${PLAN}`]
  for (const [index, folder] of [FILES, RESEARCH].entries()) {
    if (folders[index] !== undefined) paths.push(...(await filesBelow(fs, `${dir}/${folder}`)))
  }
  if (paths.length === 0) return []
  const found: Artifact[] = []
  const stats = await fs.statMany(paths.slice(0, MOST))
  for (const [index, stat] of stats.entries()) {
    if (stat?.kind !== 'file') continue
    const full = paths[index] ?? ''
    const artifact = { path: full.slice(dir.length + 1), size: stat.size, mtimeMs: stat.mtimeMs }
    const before = known.get(artifact.path)
    const isKnown = before?.size === stat.size && before.mtimeMs === stat.mtimeMs
    found.push(isKnown ? artifact : { ...artifact, text: redact(await textOf(fs, full)) })
  }
  return found
}

async function textOf(fs: SessionFs, path: string): Promise<string> {
  const bytes = await withFile(fs, path, (file) =>
    readRange(file, { start: 0, end: Math.min(file.size, MAX_ARTIFACT) }),
  )
  if (bytes === undefined || bytes.includes(0)) return ''
  return head(clean(decodeText(bytes)), MAX_ARTIFACT)
}
