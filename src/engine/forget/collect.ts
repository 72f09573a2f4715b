/** What a pattern finds, without changing anything: each different text once. */
import type { Forgetter } from '../../lib/forget-text.ts'
import { EngineError } from '../errors.ts'

export function collector(pattern: string): {
  readonly forgetter: Forgetter
  readonly values: ReadonlySet<string>
} {
  const expression = compiled(pattern)
  const values = new Set<string>()
  const collect = (text: string): void => {
    for (const [value] of text.matchAll(expression)) if (value !== '') values.add(value)
  }
  return {
    values,
    forgetter: {
      needles: [],
      bytes(raw) {
        collect(raw.toString())
        return undefined
      },
      ranges(text) {
        collect(text)
        return []
      },
      text(text) {
        collect(text)
        return undefined
      },
    },
  }
}

/** As it is, or as `/…/i`. */
function compiled(pattern: string): RegExp {
  const [, source = pattern, flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(pattern) ?? []
  try {
    return new RegExp(source, `${flags}g`)
  } catch (cause) {
    throw new EngineError('invalid', 'This is no regular expression. Nothing was changed.', {
      cause,
    })
  }
}
