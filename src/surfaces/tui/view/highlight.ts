/** Colours for code, line by line. */
import { tokenizer, type Token } from '../../../lib/code-tokens.ts'

type Paint = (text: string) => string

type Colours = {
  readonly dim: Paint
  readonly green: Paint
  readonly magenta: Paint
  readonly yellow: Paint
  readonly red: Paint
  readonly cyan: Paint
}

export function highlight(code: string, language: string | undefined, colours: Colours): string[] {
  const lines = code.split('\n')
  if (language !== undefined && /^(diff|patch)$/i.test(language)) {
    return lines.map((line) => diffLine(line, colours))
  }
  const tokens = tokenizer(language ?? '')
  return lines.map((line) => tokens(line).map(painted).join(''))

  function painted({ text, kind }: Token): string {
    if (kind === 'comment') return colours.dim(text)
    if (kind === 'string') return colours.green(text)
    if (kind === 'number') return colours.yellow(text)
    return kind === 'keyword' ? colours.magenta(text) : text
  }
}

export function diffLine(line: string, { dim, green, red, cyan }: Colours): string {
  if (/^(diff |index |--- |\+\+\+ )/.test(line)) return dim(line)
  if (line.startsWith('@@')) return cyan(line)
  if (line.startsWith('+')) return green(line)
  return line.startsWith('-') ? red(line) : line
}
