/** Colours, or none: the sixteen of the terminal, or some that are read well on a light or a dark background. */
import type { EditorTheme, MarkdownTheme } from '@earendil-works/pi-tui'
import { highlight } from './highlight.ts'
import { palettes, type Palette, type PaletteName } from './palettes.ts'

export type Paint = (text: string) => string

/** In a line that is not to be shown. No text of others has it: it is taken out of them. */
export const NO_LINE = '\u2063'

export type Theme = {
  /** Which colours count now. Everything that was painted before is painted anew by those who keep it. */
  palette(): PaletteName
  use(palette: PaletteName): void
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
  readonly magenta: Paint
  readonly blue: Paint
  readonly inverse: Paint
  readonly italic: Paint
  readonly markdown: MarkdownTheme
  readonly editor: EditorTheme
}

export function makeTheme({ isPainted }: { readonly isPainted: boolean }): Theme {
  let now: PaletteName = 'terminal'
  const paint =
    (on: string, off: string): Paint =>
    (text) =>
      isPainted && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text
  const coloured =
    (name: keyof Palette): Paint =>
    (text) => {
      const [on, off] = palettes[now][name]
      return paint(on, off)(text)
    }
  const colours = {
    bold: paint('1', '22'),
    italic: paint('3', '23'),
    inverse: paint('7', '27'),
    dim: coloured('dim'),
    red: coloured('red'),
    green: coloured('green'),
    yellow: coloured('yellow'),
    blue: coloured('blue'),
    magenta: coloured('magenta'),
    cyan: coloured('cyan'),
  }
  const { bold, dim, cyan, blue, yellow, italic } = colours
  /** The smaller headings are given with their signs, each by itself: colour says enough. */
  const signs = new Set([3, 4, 5, 6].map((level) => bold(`${'#'.repeat(level)} `)))
  return {
    ...colours,
    palette: () => now,
    use: (palette) => void (now = palette),
    markdown: {
      heading: (text) => (signs.has(text) ? '' : bold(cyan(text))),
      link: blue,
      linkUrl: dim,
      code: yellow,
      codeBlock: (text) => text,
      // The language is worth a line, the fence is not.
      codeBlockBorder: (text) => dim(text.replace(/^[`~]+(text)?/, '')) || NO_LINE,
      quote: italic,
      quoteBorder: dim,
      hr: dim,
      listBullet: cyan,
      bold,
      italic,
      strikethrough: paint('9', '29'),
      underline: paint('4', '24'),
      highlightCode: (code, language) => highlight(code, language, colours),
    },
    editor: {
      borderColor: dim,
      selectList: {
        selectedPrefix: cyan,
        selectedText: (text) => bold(cyan(text)),
        description: dim,
        scrollInfo: dim,
        noMatch: dim,
      },
    },
  }
}

/** https://no-color.org: any value that is not empty. */
export const wantsPaint = (env: NodeJS.ProcessEnv): boolean =>
  (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
