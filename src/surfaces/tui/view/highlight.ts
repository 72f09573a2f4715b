/** Colours for code, by the few things that most languages share: comments, strings, numbers, their usual words. */
import type { Paint } from './theme.ts'

type Colours = {
  readonly dim: Paint
  readonly green: Paint
  readonly magenta: Paint
  readonly yellow: Paint
  readonly red: Paint
  readonly cyan: Paint
}

const WORDS =
  'abstract as async await break case catch class const continue def default defer del do done elif else end enum ' +
  'except export extends false fi finally fn for from func function go if impl implements import in interface is ' +
  'lambda let match mod module mut namespace new nil None not null of or package pass private protected pub public ' +
  'raise readonly return select self static struct super switch then this throw trait true try type typeof undefined ' +
  'union use using var void where while with yield True False SELECT FROM WHERE AND OR INSERT UPDATE DELETE CREATE'

const WITH_HASH =
  /^(sh|bash|zsh|shell|py|python|rb|ruby|ya?ml|toml|make(file)?|docker(file)?|perl|r)$/i
const WITH_DASHES = /^(sql|lua|haskell|hs)$/i

export function highlight(code: string, language: string | undefined, colours: Colours): string[] {
  const lines = code.split('\n')
  if (language !== undefined && /^(diff|patch)$/i.test(language)) {
    return lines.map((line) => diffLine(line, colours))
  }
  if (language === undefined || /^(te?xt|plain|md|markdown)?$/i.test(language)) return lines
  const pattern = patternFor(language)
  return lines.map((line) =>
    line.replace(
      pattern,
      (
        all,
        comment: string | undefined,
        text: string | undefined,
        number: string | undefined,
        word: string | undefined,
      ) => {
        if (comment !== undefined) return colours.dim(comment)
        if (text !== undefined) return colours.green(text)
        if (number !== undefined) return colours.yellow(number)
        return word !== undefined && keywords.has(word) ? colours.magenta(word) : all
      },
    ),
  )
}

const keywords = new Set(WORDS.split(' '))

function patternFor(language: string): RegExp {
  const comment = WITH_HASH.test(language)
    ? '#.*$'
    : WITH_DASHES.test(language)
      ? '--.*$'
      : '\\/\\/.*$|\\/\\*.*?\\*\\/'
  const text = '"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`'
  return new RegExp(`(${comment})|(${text})|(\\b\\d[\\d_.xa-fA-F]*\\b)|([A-Za-z_]\\w*)`, 'g')
}

export function diffLine(line: string, { dim, green, red, cyan }: Colours): string {
  if (/^(diff |index |--- |\+\+\+ )/.test(line)) return dim(line)
  if (line.startsWith('@@')) return cyan(line)
  if (line.startsWith('+')) return green(line)
  return line.startsWith('-') ? red(line) : line
}
