/** Colours code by highlight.js, which is fetched when the first code is shown. Answers pieces, never markup. */
import { useEffect, useReducer } from 'preact/hooks'
import type { CodePiece } from '../model/code-piece.ts'

type Highlighter = (text: string, language: string) => readonly CodePiece[] | undefined

let loaded: Highlighter | undefined
let loading: Promise<void> | undefined
const LONGEST = 200_000

/** Undefined until it is there, and for a language that nobody knows: the text is shown as it is. */
export function useHighlighted(text: string, language: string): readonly CodePiece[] | undefined {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const isWanted = language !== '' && text.length <= LONGEST
  useEffect(() => {
    if (loaded !== undefined || !isWanted) return
    // Without colours code is code all the same.
    loading ??= import('./highlighter.ts').then(
      ({ highlight }) => void (loaded = highlight),
      () => {},
    )
    void loading.then(() => redraw(0))
  }, [isWanted])
  return isWanted ? loaded?.(text, language) : undefined
}

/** The language of a file by its name. */
export const languageOf = (path: string): string =>
  /(?:^|\/)(dockerfile|makefile)$/i.exec(path)?.[1]?.toLowerCase() ??
  /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ??
  ''
