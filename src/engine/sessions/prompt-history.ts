/**
 * What was typed before, in any session, newest last. Kept in the home, readable by its owner alone, bounded, and
 * without secrets where logs are.
 */
import { inHome, inSession, logPath, sessionFolder } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { findBytes } from '../../lib/find-bytes.ts'
import { withFile } from '../../log/range.ts'

const PATH = inHome('promptHistory')
const MOST = 500
/** A longer message is a document, not something to type again. */
const LONGEST = 20_000

type PromptHistory = {
  load(): Promise<readonly string[]>
  add(text: string): Promise<void>
}

type Typed = {
  readonly fs: SessionFs
  /** As its words would stand in a log. */
  asLogged(text: string): Promise<string>
}

export function promptHistory({ fs, asLogged }: Typed): PromptHistory {
  let last: Promise<void> = Promise.resolve()
  return {
    load: () => read(fs),
    add(text) {
      if (text.trim() === '' || text.length > LONGEST) return last
      return (last = last.then(async () => append(fs, await asLogged(text))))
    },
  }
}

async function append(fs: SessionFs, text: string): Promise<void> {
  // Read again: another terminal may have added something.
  await write(fs, [...(await read(fs)).filter((each) => each !== text), text].slice(-MOST))
}

async function write(fs: SessionFs, all: readonly string[]): Promise<void> {
  const lines = all.map((each) => `${JSON.stringify({ text: each })}\n`).join('')
  await fs.writeAtomic(PATH, new TextEncoder().encode(lines), { durable: false })
}

/** Takes out what was typed in a session that is about to be forgotten, by what its folder holds. */
export async function forgetPrompts(fs: SessionFs, dir: string): Promise<void> {
  const rewound = (await fs.list(sessionFolder(dir, 'rewound')))
    .filter(({ name }) => name.endsWith('.jsonl'))
    .map(({ name }) => `${sessionFolder(dir, 'rewound')}/${name}`)
  await forgetPromptsIn(fs, [logPath(dir), ...rewound, inSession(dir, 'metadata')])
}

export async function forgetPromptsIn(fs: SessionFs, paths: readonly string[]): Promise<void> {
  const all = await read(fs)
  if (all.length === 0) return
  const needles = all.map(needleOf)
  const gone = new Set<number>()
  for (const path of paths) {
    const found = await withFile(fs, path, (file) => findBytes(file, needles))
    for (const index of found ?? []) gone.add(index)
  }
  if (gone.size > 0)
    await write(
      fs,
      all.filter((_, index) => !gone.has(index)),
    )
}

/** A few words are looked for as a message of their own: they stand within many that have nothing to do with them. */
const FEW = 16

/** As the log has it. What follows a command is what counts, such as the name behind `/rename`. */
function needleOf(typed: string): Buffer {
  const text = typed.trim().replace(/^\/\S+\s+/, '')
  const inJson = JSON.stringify(text)
  return Buffer.from(text.length < FEW ? inJson : inJson.slice(1, -1))
}

async function read(fs: SessionFs): Promise<readonly string[]> {
  const bytes = await fs.read(PATH)
  if (bytes === undefined) return []
  return new TextDecoder().decode(bytes).split('\n').flatMap(textOf)
}

/** A line that cannot be read is left out: this is a convenience, not a record. */
function textOf(line: string): string[] {
  try {
    const { text } = JSON.parse(line) as { text?: unknown }
    return typeof text === 'string' ? [text] : []
  } catch {
    // Torn by a crash, or written by an editor.
    return []
  }
}
