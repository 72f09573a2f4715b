/** What can be completed while typing: slash commands with their help, their words, and files behind an `@`. */
import { fuzzyFilter, type AutocompleteProvider } from '@earendil-works/pi-tui'
import { safeText } from '../../../lib/safe-text.ts'
import type { Command } from '../../../commands/command.ts'
import { complete } from '../../../commands/complete.ts'

const MOST = 20

/** `isFor`: what is offered was found for this text before the cursor; keys may have come faster than it was found. */
export type Completion = AutocompleteProvider & { isFor(before: string): boolean }

export function completion(
  table: () => readonly Command[],
  listFiles: (typed: string) => Promise<readonly string[]>,
  /** The name of a command is typed: the list is brought up to its files, and offered again when it is another one. */
  onSlash: () => void = () => {},
): Completion {
  /** What stood before the cursor when something was offered last. */
  let offeredFor: string | undefined
  return {
    isFor: (before) => before === offeredFor,
    triggerCharacters: ['@'],
    async getSuggestions(lines, cursorLine, cursorCol, { signal }) {
      const before = (lines[cursorLine] ?? '').slice(0, cursorCol)
      if (/^\/\S*$/.test(before)) onSlash()
      if (cursorLine === 0 && before.startsWith('/')) {
        offeredFor = before
        return slash(table(), before)
      }
      const prefix = /(?:^|\s)(@[^\s@]*)$/.exec(before)?.[1]
      if (prefix === undefined) return null
      const files = await listFiles(prefix.slice(1))
      if (signal.aborted) return null
      offeredFor = before
      const found = fuzzyFilter([...files], prefix.slice(1), (file) => file).slice(0, MOST)
      // A name that is whole already leaves enter to the message.
      const isWhole = found.length === 1 && mention(found[0] ?? '') === prefix
      return found.length === 0 || isWhole
        ? null
        : { prefix, items: found.map((file) => ({ value: mention(file), label: safeText(file) })) }
    },
    applyCompletion(lines, cursorLine, cursorCol, { value }, prefix) {
      const line = lines[cursorLine] ?? ''
      const from = cursorCol - prefix.length
      // Behind a folder its files go on.
      const text = value.startsWith('@') && value.endsWith('/') ? value : `${value} `
      const next = line.slice(0, from) + text + line.slice(cursorCol)
      return { lines: lines.with(cursorLine, next), cursorLine, cursorCol: from + text.length }
    },
    shouldTriggerFileCompletion: () => true,
  }
}

/** A name with blanks in it stands in quotes. */
const mention = (file: string): string => (/\s/.test(file) ? `@"${file}"` : `@${file}`)

function slash(table: readonly Command[], before: string) {
  const found = complete(table, before)
  if (found === undefined) return null
  const items = found.candidates.map(({ value, about }) => ({
    value,
    label: safeText(value),
    description: safeText(about),
  }))
  return { prefix: found.prefix, items }
}
