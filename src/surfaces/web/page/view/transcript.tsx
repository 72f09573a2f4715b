/** The transcript of the open session, with what is being said right now at its end. */
import { useMemo, useRef, useState } from 'preact/hooks'
import { speakerName } from '../model/entry-words.ts'
import { lastFailure, rowOf, transcriptRows } from '../model/rows.ts'
import { isAtEnd } from '../model/session-model.ts'
import { Entry, LiveEntry, QuietLines } from './entry.tsx'
import type { Changes } from './entry-props.ts'
import { OpenFolds } from './fold.tsx'
import { Icon } from './icon.tsx'
import { OutputOf } from './output.tsx'
import type { OpenSession } from './use-session.ts'
import { useMarkedText } from './use-marked-text.ts'
import { VirtualList } from './virtual-list.tsx'

type Props = { readonly session: OpenSession } & Changes

export function Transcript({ session, ...changes }: Props) {
  const { model, shown, loadOlder, loadNewer, goTo } = session
  const folds = useRef(new Map<string, boolean>()).current
  const [isNearEnd, setNearEnd] = useState(true)
  const rows = useMemo(() => transcriptRows(model.entries, model.live), [model.entries, model.live])
  const keys = useMemo(() => rows.map(({ key }) => key), [rows])
  const reveal = shown.eventId === undefined ? undefined : rowOf(rows, shown.eventId, shown)
  const box = useRef<HTMLDivElement>(null)
  useMarkedText(box, reveal, shown)
  const isOwner = changes.onFork !== undefined
  const failure = model.status === 'idle' && isAtEnd(model) ? lastFailure(model.entries) : undefined

  const speaker = speakerName(model.entries, model.answer?.answers.model)

  if (model.isLoaded && rows.length === 0)
    return (
      <div class="transcript-box">
        <p class="empty">
          {isOwner
            ? 'Nothing was said yet. Write the first message below.'
            : 'Nothing was said yet.'}
        </p>
      </div>
    )
  const render = (index: number) => {
    const row = rows[index]
    if (row === undefined) return null
    if (row.kind === 'live') return <LiveEntry live={row.live} who={speaker} />
    const isShown = row.key === reveal
    if (row.kind === 'quiet')
      return <QuietLines entries={row.entries} isShown={isShown} isOwner={isOwner} />
    const { entry, permission } = row
    const tail = entry.kind === 'tool' ? model.live.tails[entry.toolCallId] : undefined
    return (
      <Entry
        sessionId={model.id}
        entry={entry}
        permission={permission}
        tail={tail}
        isShown={isShown}
        speaker={speaker}
        owner={model.answer?.metadata.person}
        again={entry === failure?.entry ? failure.prompt : undefined}
        {...changes}
      />
    )
  }
  const isWholeEnd = isNearEnd && isAtEnd(model)
  return (
    <div class="transcript-box" ref={box}>
      <OpenFolds.Provider value={folds}>
        <OutputOf.Provider value={isOwner ? model.id : undefined}>
          {model.isLoaded ? (
            <VirtualList
              // A place that is gone to begins a list of its own; so does the way back to the end.
              key={`${model.id} ${shown.times}`}
              keys={keys}
              render={render}
              estimate={72}
              label="Transcript"
              className="transcript"
              follows
              reveal={reveal}
              onStart={() => void loadOlder()}
              onEnd={() => void loadNewer()}
              onLeaveEnd={setNearEnd}
            />
          ) : (
            session.failure === undefined && <p class="empty">Loading what was said…</p>
          )}
        </OutputOf.Provider>
      </OpenFolds.Provider>
      {model.isLoaded && !isWholeEnd && (
        <button type="button" class="to-end" onClick={() => void goTo()}>
          <Icon name="later" /> To the end
        </button>
      )}
    </div>
  )
}
