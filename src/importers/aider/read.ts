/**
 * Aider, from its description (no file of a genuine one was seen): Markdown, line by line. A prompt is `#### …`, what the
 * program said is quoted with `>`, everything else is the answer. There are no tools and no times but that of the start.
 */
import { defined } from '../../lib/defined.ts'
import type { Dated, Facts, Reader, Source } from '../convert/port.ts'
import { allRecordsOf, countFacts } from '../convert/reading.ts'
import { createTeller, type Teller } from '../convert/draft-builder.ts'

const START = /^# aider chat started at (.+)$/

export const readAider: Reader = async (source, tally) => {
  let startedAt: string | undefined
  for await (const record of allRecordsOf(source, tally)) {
    if (typeof record.value === 'string') {
      tally.understood()
      const told = START.exec(record.value)?.[1]
      if (told !== undefined) startedAt ??= isoOf(told)
    }
  }
  const facts: Facts = {
    startedAt: startedAt ?? source.hints.startedAt,
    ...defined({ cwd: source.hints.cwd }),
  }
  countFacts(facts, tally)
  return [{ facts, tell: (counted) => tell(source, createTeller(counted, facts.startedAt)) }]
}

/** `2026-01-31 12:00:00`, in the time of its machine, which it does not name. */
const isoOf = (text: string): string | undefined => {
  const date = new Date(`${text.trim().replace(' ', 'T')}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

type Kind = 'prompt' | 'answer' | 'note'

async function* tell(source: Source, teller: Teller): AsyncGenerator<Dated, void, void> {
  let kind: Kind | undefined
  let lines: string[] = []
  let key = ''
  function* flush(): Generator<Dated, void, void> {
    const text = lines.join('\n').trim()
    lines = []
    const moment = { at: undefined, key }
    if (text === '' || kind === undefined) return
    if (kind === 'prompt') yield* teller.prompt({ ...moment, text })
    else if (kind === 'answer') yield* teller.answer({ ...moment, id: key, text })
    else yield* teller.remark({ ...moment, kind: 'aider', text })
  }
  for (const part of source.parts)
    for await (const record of part.records()) {
      if (record.kind === 'damage' || typeof record.value !== 'string') continue
      const line = record.value
      if (START.test(line)) continue
      const next: Kind = line.startsWith('#### ')
        ? 'prompt'
        : line.startsWith('>')
          ? 'note'
          : 'answer'
      const isBlank = line.trim() === ''
      if (!isBlank && next !== kind) {
        yield* flush()
        kind = next
        key = `${record.ref.part}:${record.ref.offset}`
      }
      lines.push(
        next === 'prompt' ? line.slice(5) : next === 'note' ? line.replace(/^> ?/, '') : line,
      )
    }
  yield* flush()
}
