/** The commands that fit what is typed so far, above the field. The arrows choose, Tab and Enter take. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Candidate } from '../model/completion.ts'

type Props = {
  readonly candidates: readonly Candidate[]
  readonly chosen: number
  readonly onTake: (candidate: Candidate) => void
}

export const PALETTE = 'palette'
export const optionId = (at: number): string => `${PALETTE}-${at}`

export function Palette({ candidates, chosen, onTake }: Props) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen, candidates])
  return (
    <ul ref={list} id={PALETTE} class="palette" role="listbox" aria-label="Commands">
      {candidates.map((candidate, at) => (
        <li
          key={candidate.line}
          id={optionId(at)}
          role="option"
          aria-selected={at === chosen}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(candidate)}
        >
          <code>{candidate.label}</code>
          <span class="faint">{candidate.about}</span>
        </li>
      ))}
    </ul>
  )
}
