/**
 * Signs that cannot be seen, shown as marks: zero-width and direction signs, fillers, tags, variation selectors can make
 * one text look like another, or hide a second one in it. Those that are part of what is seen stay: within an emoji,
 * which is matched whole, and between letters of scripts that join.
 */

export const showUnseen = (text: string): string =>
  text.replace(UNSEEN, (run: string, emoji: string | undefined) => emoji ?? marksOf([...run]))

export const markOf = (sign: string): string =>
  `\u27e8${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}\u27e9`

/** A text may be hidden in thousands of them: the first few say that there is one. */
const MOST_MARKS = 4

const marksOf = (signs: readonly string[]): string =>
  signs.length <= MOST_MARKS
    ? signs.map(markOf).join('')
    : `${signs.slice(0, MOST_MARKS).map(markOf).join('')}\u27e8and ${signs.length - MOST_MARKS} more\u27e9`

const UNSEEN = unseen()

function unseen(): RegExp {
  const ignorable = '\\p{Default_Ignorable_Code_Point}'
  const picture = '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?\\p{Emoji_Modifier}?'
  const emoji = `(${picture}(?:\\u200d${picture})*|\\p{Emoji}\\ufe0f)`
  const scripts =
    'Arabic Syriac Devanagari Bengali Gujarati Kannada Malayalam Oriya Sinhala Tamil Telugu'
      .split(' ')
      .map((script) => `\\p{Script=${script}}`)
  const letter = `[[${scripts.join('')}]--${ignorable}]`
  const joiner = `(?<=${letter})[\\u200c\\u200d](?=${letter})`
  return new RegExp(`${emoji}|(?:(?!${joiner})[${ignorable}\\ufff9-\\ufffb])+`, 'gv')
}
