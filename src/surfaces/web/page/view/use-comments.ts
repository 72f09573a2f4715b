/** Comments of a review that are not sent yet. They are kept by the browser: a reload or a lost tab loses none. */
import { useState } from 'preact/hooks'
import type { Comment } from '../model/review.ts'

const KEY = 'reprise.comments.'

export function useComments(
  id: string,
): readonly [readonly Comment[], (next: readonly Comment[]) => void] {
  const [comments, setComments] = useState(() => load(id))
  const keep = (next: readonly Comment[]) => {
    setComments(next)
    try {
      if (next.length === 0) localStorage.removeItem(KEY + id)
      else localStorage.setItem(KEY + id, JSON.stringify(next))
    } catch {
      // A full or forbidden store: they are on the screen all the same.
    }
  }
  return [comments, keep]
}

function load(id: string): readonly Comment[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY + id) ?? '[]')
    return Array.isArray(kept) ? (kept as Comment[]) : []
  } catch {
    // Something else wrote under this name; there are no comments in it.
    return []
  }
}
