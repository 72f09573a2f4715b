/** What was typed before, in any session, newest last. Kept in the home, readable by its owner alone, bounded. */
import { inHome } from '../../../format/paths.ts'
import type { Engine } from '../../../engine/engine.ts'

type SessionFs = Engine['fs']

const PATH = inHome('promptHistory')
const MOST = 500
/** A longer message is a document, not something to type again. */
const LONGEST = 20_000

type PromptHistory = {
  load(): Promise<readonly string[]>
  add(text: string): Promise<void>
}

export function promptHistory(fs: SessionFs): PromptHistory {
  let last: Promise<void> = Promise.resolve()
  return {
    load: () => read(fs),
    add(text) {
      if (text.trim() === '' || text.length > LONGEST) return last
      return (last = last.then(() => append(fs, text)))
    },
  }
}

async function append(fs: SessionFs, text: string): Promise<void> {
  // Read again: another terminal may have added something.
  const all = [...(await read(fs)).filter((each) => each !== text), text].slice(-MOST)
  const lines = all.map((each) => `${JSON.stringify({ text: each })}\n`).join('')
  await fs.writeAtomic(PATH, new TextEncoder().encode(lines), { durable: false })
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
    // Torn by a crash, or written by somebody's editor.
    return []
  }
}
