/** The transcript of the open session, with what is being said right now at its end. */
import { useMemo, useRef, useState } from 'preact/hooks'
import type { SessionModel } from '../model/session.ts'
import { transcriptRows } from '../model/rows.ts'
import { Entry, LiveEntry } from './entry.tsx'
import type { Changes } from './entry.tsx'
import { OpenFolds } from './fold.tsx'
import { OutputOf } from './output.tsx'
import { VirtualList } from './virtual-list.tsx'

type Props = {
  readonly model: SessionModel
  readonly reveal: string | undefined
  readonly onStart: () => void
} & Changes

export function Transcript({ model, reveal, onStart, ...changes }: Props) {
  const folds = useRef(new Map<string, boolean>()).current
  const [visit, setVisit] = useState(0)
  const [isAtEnd, setAtEnd] = useState(true)
  const rows = useMemo(() => transcriptRows(model.entries, model.live), [model.entries, model.live])
  const keys = useMemo(() => rows.map(({ key }) => key), [rows])
  const wanted = reveal === undefined ? undefined : keys.find((key) => key.startsWith(`${reveal} `))

  const render = (index: number) => {
    const row = rows[index]
    if (row === undefined) return null
    if (row.kind === 'live') return <LiveEntry live={row.live} />
    const { entry } = row
    const tail = entry.kind === 'tool' ? model.live.tails[entry.toolCallId] : undefined
    return <Entry entry={entry} tail={tail} {...changes} />
  }
  return (
    <OpenFolds.Provider value={folds}>
      <OutputOf.Provider value={changes.onFork === undefined ? undefined : model.id}>
        <VirtualList
          key={`${model.id} ${visit}`}
          keys={keys}
          render={render}
          estimate={72}
          label="Transcript"
          className="transcript"
          follows
          reveal={wanted}
          onStart={onStart}
          onLeaveEnd={setAtEnd}
        />
      </OutputOf.Provider>
      {!isAtEnd && (
        <button
          type="button"
          class="to-end"
          onClick={() => {
            setVisit(visit + 1)
            setAtEnd(true)
          }}
        >
          ↓ To the end
        </button>
      )}
    </OpenFolds.Provider>
  )
}
