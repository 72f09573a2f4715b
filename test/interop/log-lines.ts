/** A log as other programs see it: its lines, without Reprise's own reader. */
import assert from 'node:assert/strict'

export type Line = {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly id: string
  readonly timestamp: string
  readonly parentId: string | null
}

export function linesOf(log: string): Line[] {
  assert.ok(log.endsWith('\n'), 'the log does not end with a newline')
  return log
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/**
 * Every parentId is the id before it, and the first is null. The CLI's account of the model call of a compaction
 * (`model.*`) stands between the lines with a chain of its own.
 */
export function assertChain(log: string): void {
  let before: string | null = null
  for (const [index, { id, parentId, type }] of linesOf(log).entries()) {
    if (type.startsWith('model.')) continue
    assert.equal(parentId, before, `line ${index + 1} (${type}) does not follow the line before it`)
    before = id
  }
}

export const typesOf = (log: string): string[] => linesOf(log).map(({ type }) => type)
