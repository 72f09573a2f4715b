import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openMemory } from '../fs/memory.ts'
import {
  readAll,
  lineOf,
  startLine,
  writeLog,
  idOf,
  openSample,
  message,
  countingIds,
  idsIn,
  logText,
  LOG,
  SESSION,
  startDraft,
} from '../../test/support/sample-log.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { ReadOptions } from './read.ts'
import { readShort } from './read-short.ts'

/** What was read of a log, in short: ids by number, findings as kind and byte range. */
async function read(content: string | Uint8Array, options: ReadOptions = {}) {
  const fs = openMemory()
  await writeLog(fs, content)
  const { records, findings } = await readAll(fs, options)
  await checkShort(fs, options)
  return {
    ids: records.map(({ event }) => Number(event.id.slice(-12))),
    findings: findings.map(({ kind, start, end }) => `${kind} ${start}-${end}`),
    records,
    all: findings,
  }
}

/** Whatever is read here in blocks is read at once with the same result, as far as its lines are whole. */
async function checkShort(fs: SessionFs, { from = 0, to, previousId }: ReadOptions): Promise<void> {
  const end = Math.min(to ?? Infinity, (await fs.stat(LOG))?.size ?? 0)
  const stretch = { from, to: end, ...(previousId !== undefined && { previousId }) }
  const { records } = await readAll(fs, { ...stretch, wholeLinesOnly: true })
  assert.deepEqual(await readShort(fs, LOG, stretch), records)
}

async function logOf(content: string): Promise<SessionFs> {
  const fs = openMemory()
  await writeLog(fs, content)
  return fs
}

const log = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('')
const sizeOf = (text: string): number => Buffer.byteLength(text)

describe('reading a sound log', () => {
  test('passes over what is not of the types that are asked for, and nothing that may be', async () => {
    const odd = ` ${lineOf(4)}`
    const { records } = await readAll(await logOf(log(startLine(), lineOf(2), lineOf(3), odd)), {
      only: new Set(['session.start'] as const),
    })
    assert.deepEqual(
      records.map(({ event }) => Number(event.id.slice(-12))),
      [1, 4],
    )
  })

  test('gives every record with the bytes that hold it', async () => {
    const lines = [startLine(), lineOf(2), lineOf(3)]
    const { records, findings } = await read(log(...lines))
    let start = 0
    const expected = lines.map((line) => {
      const record = { event: JSON.parse(line), start, end: start + line.length + 1 }
      start = record.end
      return record
    })
    assert.deepEqual(records, expected)
    assert.deepEqual(findings, [])
  })

  test('gives nothing for a log that does not exist', async () => {
    assert.deepEqual(await readAll(openMemory()), { records: [], findings: [] })
  })

  test('says that an empty log holds no record', async () => {
    assert.deepEqual((await read('')).findings, ['no_start 0-0'])
  })

  test('splits at 0x0A only: U+2028, U+2029, NEL and a bare CR are text', async () => {
    const content = '\u2028 \u2029 \u0085'
    const { ids, findings, records } = await read(
      log(startLine(), lineOf(2, { data: { content } })),
    )
    assert.deepEqual({ ids, findings }, { ids: [1, 2], findings: [] })
    assert.deepEqual(records[1]!.event.data, { content })
  })

  test('takes CRLF, blank lines and spaces for nothing', async () => {
    const { ids, findings } = await read(`${startLine()}\r\n\r\n\n  \n${lineOf(2)}\r\n`)
    assert.deepEqual({ ids, findings }, { ids: [1, 2], findings: [] })
  })

  test('keeps unknown types and unknown fields', async () => {
    const future = lineOf(2, { type: 'vendor.future', extra: [1] })
    const { records, findings } = await read(log(startLine(), future))
    assert.deepEqual(records[1]!.event, { ...JSON.parse(future), stranger: true })
    assert.deepEqual(findings, [])
  })

  test('reads a part, given the id before it', async () => {
    const content = log(startLine(), lineOf(2), lineOf(3))
    const from = startLine().length + 1
    const part = await read(content, { from, to: from + lineOf(2).length + 1, previousId: idOf(1) })
    assert.deepEqual([part.ids, part.findings], [[2], []])
    const unknown = await read(content, { from })
    assert.deepEqual([unknown.ids, unknown.findings], [[2, 3], []])
  })

  test('gives the same whatever the chunks are', async () => {
    const content = `\uFEFF${startLine()}\r\n${lineOf(2)}${lineOf(3)}\nnoise\n\n${lineOf(4)}\0\0\n${lineOf(5).slice(0, 50)}`
    const whole = await read(content)
    for (const chunkBytes of [1, 2, 3, 7, 64, 211, 1000]) {
      assert.deepEqual(await read(content, { chunkBytes }), whole)
    }
  })
})

describe('reading a damaged log', () => {
  test('skips a byte order mark', async () => {
    const { ids, findings } = await read(`\uFEFF${log(startLine(), lineOf(2))}`)
    assert.deepEqual({ ids, findings }, { ids: [1, 2], findings: ['bom 0-3'] })
  })

  test('strips NULs and reads the rest of the line', async () => {
    const line = lineOf(2)
    const at = startLine().length + 1
    const { ids, findings } = await read(
      log(startLine(), `\0\0\0${line.slice(0, 9)}\0${line.slice(9)}`),
    )
    assert.deepEqual({ ids, findings }, { ids: [1, 2], findings: [`nul ${at}-${at + 13}`] })
  })

  test('names a line of NULs as a loss', async () => {
    const at = startLine().length + 1
    const { ids, all } = await read(log(startLine(), '\0'.repeat(100), lineOf(2)))
    assert.deepEqual(ids, [1, 2])
    assert.deepEqual(
      all.map(({ kind, start, end, line, recovered }) => ({ kind, start, end, line, recovered })),
      [{ kind: 'nul', start: at, end: at + 100, line: 2, recovered: false }],
    )
  })

  test('recovers every record that is glued to another', async () => {
    const at = startLine().length + 1
    const length = lineOf(2).length
    const { ids, findings, records } = await read(
      log(startLine(), lineOf(2) + lineOf(3) + lineOf(4)),
    )
    assert.deepEqual(ids, [1, 2, 3, 4])
    assert.deepEqual(findings, [
      `glued ${at + length}-${at + 2 * length}`,
      `glued ${at + 2 * length}-${at + 3 * length + 1}`,
    ])
    assert.deepEqual(
      records.slice(1).map(({ start, end }) => [start, end]),
      [
        [at, at + length],
        [at + length, at + 2 * length],
        [at + 2 * length, at + 3 * length + 1],
      ],
    )
  })

  test('recovers a record behind half of another, at every length of the half', async () => {
    const at = startLine().length + 1
    const broken = lineOf(2, { data: { content: 'a "quoted" {brace', list: [{ type: 'text' }] } })
    for (let length = 1; length < broken.length; length++) {
      const { ids, findings } = await read(log(startLine(), broken.slice(0, length) + lineOf(3)))
      assert.deepEqual(ids, [1, 3], `half of ${length} bytes`)
      assert.equal(findings[0], `damaged ${at}-${at + length}`)
      assert.ok(findings.some((each) => each.startsWith('half ')))
    }
  })

  test('keeps a record before half of another', async () => {
    const at = startLine().length + 1
    const end = at + lineOf(2).length
    const { ids, findings } = await read(log(startLine(), `${lineOf(2)}{"type":"x`, lineOf(3)))
    assert.deepEqual(
      { ids, findings },
      { ids: [1, 2, 3], findings: [`damaged ${end}-${end + 10}`] },
    )
  })

  test('names what is not a record by its bytes and goes on', async () => {
    const at = startLine().length + 1
    for (const junk of ['noise', '[1]', '42', '{"type":"x"}', '{"a":', 'null', '"text"']) {
      const { ids, findings } = await read(log(startLine(), junk, lineOf(2)))
      assert.deepEqual(
        { ids, findings },
        { ids: [1, 2], findings: [`damaged ${at}-${at + junk.length}`] },
      )
    }
  })

  test('keeps a line that is not UTF-8, with replacement characters', async () => {
    const line = Buffer.from(lineOf(2, { data: { content: 'X' } }))
    line[line.indexOf('X')] = 0xff
    const bytes = Buffer.concat([Buffer.from(log(startLine())), line, Buffer.from('\n')])
    const { records, findings } = await read(bytes)
    assert.deepEqual(records[1]!.event.data, { content: '\uFFFD' })
    const at = startLine().length + 1
    assert.deepEqual(findings, [`invalid_utf8 ${at}-${at + line.length + 1}`])
  })

  test('keeps a known type of a wrong shape as a stranger', async () => {
    const { records, all } = await read(log(startLine(), lineOf(2, { data: { content: 7 } })))
    assert.equal('stranger' in records[1]!.event, true)
    assert.deepEqual([all[0]!.kind, all[0]!.recovered], ['invalid_shape', true])
  })

  test('leaves out a record that stands twice', async () => {
    const content = log(startLine(), lineOf(2), lineOf(3), lineOf(2), lineOf(3), lineOf(4))
    const length = lineOf(2).length + 1
    const at = startLine().length + 1 + 2 * length
    const { ids, findings } = await read(content)
    assert.deepEqual(
      { ids, findings },
      {
        ids: [1, 2, 3, 4],
        findings: [`duplicate ${at}-${at + length}`, `duplicate ${at + length}-${at + 2 * length}`],
      },
    )
  })

  test('keeps a record with the id of another and other content, as a break of the chain', async () => {
    const twin = lineOf(2, { data: { content: 'massage 2' } })
    const { ids, all } = await read(log(startLine(), lineOf(2), twin))
    assert.deepEqual([ids, all.map(({ kind }) => kind)], [[1, 2, 2], ['chain_break']])
  })

  test('names a break of the chain and keeps the record', async () => {
    const at = startLine().length + 1
    const { ids, findings } = await read(log(startLine(), lineOf(5), lineOf(6)))
    const end = at + lineOf(5).length + 1
    assert.deepEqual({ ids, findings }, { ids: [1, 5, 6], findings: [`chain_break ${at}-${end}`] })
  })

  test('names a missing start and a start of another session', async () => {
    const { findings } = await read(log(lineOf(1)))
    assert.deepEqual(findings, [`no_start 0-${lineOf(1).length + 1}`])
    const foreign = await read(log(startLine()), { sessionId: 'other' })
    assert.deepEqual(foreign.findings, [`foreign_start 0-${startLine().length + 1}`])
    assert.deepEqual((await read(log(startLine()), { sessionId: SESSION })).findings, [])
  })

  test('takes a whole record without a newline, and nothing less', async () => {
    const at = startLine().length + 1
    const whole = await read(log(startLine()) + lineOf(2))
    const end = at + lineOf(2).length
    assert.deepEqual([whole.ids, whole.findings], [[1, 2], [`missing_newline ${at}-${end}`]])
    for (const tail of [lineOf(2).slice(0, -1), '\0'.repeat(9), lineOf(2) + lineOf(3), '{}']) {
      const torn = await read(log(startLine()) + tail)
      assert.deepEqual([torn.ids, torn.findings], [[1], [`torn_tail ${at}-${at + sizeOf(tail)}`]])
    }
  })

  test('leaves the tail alone when asked for whole lines', async () => {
    const { ids, findings } = await read(log(startLine()) + lineOf(2), { wholeLinesOnly: true })
    assert.deepEqual({ ids, findings }, { ids: [1], findings: [] })
  })

  test('passes over a line beyond the limit without holding it', async () => {
    const long = lineOf(2, { data: { content: 'x'.repeat(5000) } })
    const at = startLine().length + 1
    const limits = { chunkBytes: 128, maxRecordBytes: 1024 }
    const { ids, findings } = await read(log(startLine(), long, lineOf(3)), limits)
    const end = at + long.length + 1
    assert.deepEqual(ids, [1, 3])
    assert.deepEqual(findings, [
      `damaged ${at}-${end}`,
      `chain_break ${end}-${end + lineOf(3).length + 1}`,
    ])
    const tail = await read(log(startLine()) + long, limits)
    assert.deepEqual(tail.findings, [`torn_tail ${at}-${at + long.length}`])
  })

  test('is done with hostile lines in a time that follows their length', async () => {
    for (const hostile of [
      '{"type":'.repeat(50_000),
      '{'.repeat(400_000),
      '}{'.repeat(200_000),
      '\0a'.repeat(200_000),
    ]) {
      const { ids } = await read(log(startLine(), hostile, lineOf(2)))
      assert.deepEqual(ids, [1, 2])
    }
  })
})

/** Every kind of line at once, and where each record is complete. */
function mixedLog(): { bytes: Buffer; completeAt: { id: number; at: number }[] } {
  const parts: Buffer[] = []
  const completeAt: { id: number; at: number }[] = []
  let size = 0
  const put = (text: string): void => {
    const bytes = Buffer.from(text)
    parts.push(bytes)
    size += bytes.length
  }
  const record = (number: number, before: string, after: string, fields: object = {}): void => {
    put(before + (number === 1 ? startLine() : lineOf(number, fields)))
    completeAt.push({ id: number, at: size })
    put(after)
  }
  record(1, '\uFEFF', '\r\n')
  record(2, '', '\n', { data: { content: 'line\u2028para\u2029end' } })
  record(3, '', '\r\n', { data: { content: '👩‍👩‍👧 𝄞 ü' } })
  put('\n')
  record(4, '\0\0\0\0', '\n')
  record(5, '', '', { data: { content: 'glued "to" {the next}' } })
  record(6, '', '\n')
  record(7, '', '\n', { type: 'vendor.future', odd: { deep: [null, true] } })
  return { bytes: Buffer.concat(parts), completeAt }
}

test('every byte prefix of a mixed log opens with its complete records and accepts an append', async () => {
  const { bytes, completeAt } = mixedLog()
  for (let length = 0; length <= bytes.length; length++) {
    const prefix = bytes.subarray(0, length)
    const fs = openMemory()
    await writeLog(fs, prefix)
    const log = await openSample(fs, { newId: countingIds(100) })
    const ends = prefix.lastIndexOf(0x0a) + 1
    const tail = prefix.subarray(ends).toString()
    const expected = completeAt
      .filter(({ at }) => at <= length)
      // Behind the last newline only exactly one record counts: nothing before it and nothing after.
      .filter(({ at }) => at <= ends || (/^\uFEFF?\{.*\}\r?$/su.test(tail) && isJson(tail)))
      .map(({ id }) => idOf(id))
    await log.append([message('after')])
    await log.close()
    const { records, findings } = await readAll(fs)
    assert.deepEqual(
      records.map(({ event }) => event.id),
      [...expected, idOf(100)],
      `prefix of ${length} bytes`,
    )
    assert.equal(records.at(-1)!.event.parentId, expected.at(-1) ?? null)
    assert.deepEqual(
      findings.filter(({ kind }) => kind === 'torn_tail' || kind === 'missing_newline'),
      [],
    )
    const whole = (await logText(fs)).endsWith('\n')
    assert.equal(whole, true)
  }
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}

test('a flipped bit never throws and costs at most two records', async () => {
  const lines = [startLine(), ...[2, 3, 4, 5].map((number) => lineOf(number))]
  const bytes = Buffer.from(log(...lines))
  for (let at = 0; at < bytes.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const flipped = Buffer.from(bytes)
      flipped[at]! ^= 1 << bit
      const { records } = await read(flipped)
      const intact = records.filter(({ event }) =>
        lines.some((line) => line === JSON.stringify(event)),
      )
      assert.ok(intact.length >= lines.length - 2, `bit ${bit} of byte ${at}`)
    }
  }
})

test('any bytes between sound lines leave those lines intact', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (noise) => {
      const before = Buffer.from(log(startLine(), lineOf(2)))
      const after = Buffer.from(`\n${log(lineOf(3))}`)
      const { ids, records } = await read(Buffer.concat([before, noise, after]))
      assert.deepEqual(ids, [1, 2, 3])
      assert.deepEqual(records[1]!.event, JSON.parse(lineOf(2)))
    }),
    { numRuns: 300 },
  )
})

test('whatever text is written is what is read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }),
      async (texts) => {
        const fs = openMemory()
        const log = await openSample(fs)
        const written = await log.append([startDraft, ...texts.map(message)])
        await log.close()
        const { records, findings } = await readAll(fs)
        assert.deepEqual([records, findings], [written, []])
        assert.deepEqual(
          records.slice(1).map(({ event }) => event.data),
          texts.map((content) => ({ content: content.toWellFormed() })),
        )
        assert.equal((await idsIn(fs)).length, texts.length + 1)
      },
    ),
    { numRuns: 200 },
  )
})
