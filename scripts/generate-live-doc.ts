/** The tables of docs/live-session.md, from the tables that the engine itself looks up. */
import {
  leaseTable,
  queueTable,
  receptionTable,
  workTable,
  type Table,
} from '../src/engine/live/machine.ts'

export const liveReference = (): string =>
  [
    '### The right to write',
    transitions(leaseTable),
    '### The work',
    transitions(workTable),
    '### What becomes of a message',
    grid(
      ['state', ...Object.keys(receptionTable.idle)],
      Object.entries(receptionTable).map(([state, row]) => [`**${state}**`, ...Object.values(row)]),
    ),
    '### The queue',
    transitions(queueTable),
  ].join('\n\n')

/** One row a state, one column an input; `→ state, effect`, `·` for no change, `–` for what never comes. */
function transitions<S extends string, I extends string, E>(table: Table<S, I, E>): string {
  const states = Object.keys(table) as S[]
  const inputs = Object.keys(Object.values(table)[0] ?? {}) as I[]
  return grid(
    ['state', ...inputs],
    states.map((state) => [`**${state}**`, ...inputs.map((input) => cell(state, input))]),
  )

  function cell(state: S, input: I): string {
    const found = table[state][input]
    if (found === 'never') return '–'
    const to = found.to === state ? '' : `→ ${found.to}`
    return (
      [to, found.effect === undefined ? '' : `_${found.effect}_`].filter(Boolean).join(', ') || '·'
    )
  }
}

export function grid(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) =>
    Math.max(3, ...[head, ...body].map((row) => (row[at] ?? '').length)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [
    line(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map(line),
  ].join('\n')
}
