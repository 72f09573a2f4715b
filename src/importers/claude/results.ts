/** What Claude Code keeps with a result besides its text: the patch, the file, the tokens. */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, isFields, objectsOf, textIn, type Fields } from '../../lib/fields.ts'
import type { Usage } from '../convert/import-drafts.ts'
import { numberIn, tokensIn } from '../convert/values.ts'

type Edit = { readonly path: string; readonly kind: 'create' | 'edit' }

export function editsOf(detail: unknown): readonly Edit[] {
  if (!isFields(detail)) return []
  const path = textIn(detail, 'filePath')
  const isEdit = 'structuredPatch' in detail || 'newString' in detail
  if (path === undefined || !isEdit) return []
  return [{ path, kind: detail['type'] === 'create' ? 'create' : 'edit' }]
}

/** A unified diff, from its hunks, or of a file that is new. */
export function diffOf(detail: unknown): string | undefined {
  const path = textIn(fieldsOf(detail), 'filePath')
  if (path === undefined || !isFields(detail)) return undefined
  const hunks = objectsOf(detail['structuredPatch'])
  const content = textIn(detail, 'content')
  const isNew = detail['type'] === 'create' && content !== undefined
  if (hunks.length === 0 && !isNew) return undefined
  const head = `--- ${isNew ? '/dev/null' : path}\n+++ ${path}\n`
  return head + (hunks.length > 0 ? hunks.map(hunkText).join('') : wholeText(content ?? ''))
}

function hunkText(hunk: Fields): string {
  const [oldStart, oldLines, newStart, newLines] = [
    'oldStart',
    'oldLines',
    'newStart',
    'newLines',
  ].map((key) => numberIn(hunk, key) ?? 0)
  const lines = Array.isArray(hunk['lines']) ? hunk['lines'].map(String) : []
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.map((line) => `${line}\n`).join('')}`
}

function wholeText(content: string): string {
  const lines = content.replace(/\n$/, '').split('\n')
  return `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`
}

/** Its input does not count what was read from, or written to, a cache; ours does. */
export function usageOf(usage: Fields): Usage {
  const cacheRead = tokensIn(usage, 'cache_read_input_tokens') ?? 0
  const cacheWrite = tokensIn(usage, 'cache_creation_input_tokens') ?? 0
  const input = tokensIn(usage, 'input_tokens')
  return {
    cacheRead,
    cacheWrite,
    ...defined({
      input: input === undefined ? undefined : input + cacheRead + cacheWrite,
      output: tokensIn(usage, 'output_tokens'),
    }),
  }
}
