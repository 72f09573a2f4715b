/** What can be completed while typing: slash commands with their help, their words, and files behind an `@`. */
import { fuzzyFilter } from '@earendil-works/pi-tui'
import type { AutocompleteItem, AutocompleteProvider } from '@earendil-works/pi-tui'
import { safeText } from '../../../lib/safe-text.ts'
import type { Command } from '../commands/command.ts'

const MOST = 20

export function completion(
  commands: readonly Command[],
  listFiles: () => Promise<readonly string[]>,
): AutocompleteProvider {
  return {
    triggerCharacters: ['@'],
    async getSuggestions(lines, cursorLine, cursorCol, { signal }) {
      const before = (lines[cursorLine] ?? '').slice(0, cursorCol)
      if (cursorLine === 0 && before.startsWith('/')) return slash(commands, before)
      const prefix = /(?:^|\s)(@[^\s@]*)$/.exec(before)?.[1]
      if (prefix === undefined) return null
      const files = await listFiles()
      if (signal.aborted) return null
      const found = fuzzyFilter([...files], prefix.slice(1), (file) => file).slice(0, MOST)
      return found.length === 0
        ? null
        : { prefix, items: found.map((file) => ({ value: `@${file}`, label: safeText(file) })) }
    },
    applyCompletion(lines, cursorLine, cursorCol, { value }, prefix) {
      const line = lines[cursorLine] ?? ''
      const from = cursorCol - prefix.length
      const text = `${value} `
      const next = line.slice(0, from) + text + line.slice(cursorCol)
      return { lines: lines.with(cursorLine, next), cursorLine, cursorCol: from + text.length }
    },
    shouldTriggerFileCompletion: () => true,
  }
}

function slash(commands: readonly Command[], before: string) {
  const [, name = '', gap, rest = ''] = /^\/(\S*)(\s+)?(.*)$/.exec(before) ?? []
  if (gap === undefined) {
    return offered(
      before,
      commands
        .filter((each) => each.name.startsWith(name))
        .map(({ name: value, help }) => ({
          value: `/${value}`,
          label: `/${value}`,
          description: help,
        })),
    )
  }
  const words = commands.find((each) => each.name === name)?.words ?? []
  // A word that is there already is not offered: enter sends it.
  if (words.some(([word]) => word === rest)) return null
  return offered(
    rest,
    words
      .filter(([word]) => word.startsWith(rest))
      .map(([value, description]) => ({ value, label: value, description })),
  )
}

const offered = (prefix: string, items: AutocompleteItem[]) =>
  items.length === 0 ? null : { prefix, items }
