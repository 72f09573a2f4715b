/** Whether a stream gets colours, and the escapes themselves: the only ones that this program prints. */
import type { Style } from './span.ts'

/** FORCE_COLOR decides first, as in Node itself; then NO_COLOR, then what the stream is. */
export function wantsColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0'
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  return stream.isTTY === true && env.TERM !== 'dumb'
}

const codes: Record<Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
}

export function paint(text: string, style: Style): string {
  const [on, off] = codes[style]
  return `\x1b[${on}m${text}\x1b[${off}m`
}
