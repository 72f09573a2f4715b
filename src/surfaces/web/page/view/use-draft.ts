/** The text of a field, kept by the browser until it was used: a reload, another place or Escape loses none of it. */
import { useState } from 'preact/hooks'
import { createDrafts } from '../model/drafts.ts'

export const drafts = createDrafts(localStorage, tabName())

/** What is used up is written as ''. */
export function useDraft(
  key: string,
  first = '',
): readonly [text: string, write: (next: string) => void] {
  const [text, setText] = useState(() => drafts.open(key) || first)
  const write = (next: string) => {
    drafts.write(key, next)
    setText(next)
  }
  return [text, write]
}

/** The same over a reload, another in each tab. */
function tabName(): string {
  const kept = sessionStorage.getItem('reprise.tab') ?? crypto.randomUUID()
  sessionStorage.setItem('reprise.tab', kept)
  return kept
}
