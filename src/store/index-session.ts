/**
 * Folds a log into changes of the store, record by record, from any place on: what comes out is the same in
 * however many stretches the log is read. Live indexing and reindexing are this one function.
 */
import type { LogRecord } from '../log/record.ts'
import { applyRule, isStranger } from '../state/positioned-event.ts'
import { printCarried, type Changes, type Op, type StoreCursor } from './store-changes.ts'
import { indexRules, type FoldDraft } from './index-rules.ts'
import { MAX_SPEECH, clean, head } from './text.ts'

type Folded = Pick<Changes, 'ops' | 'to'>

export interface Fold {
  push(record: LogRecord): void
  /** About how many characters the changes hold. */
  readonly weight: number
  changes(): Folded
}

type FoldOptions = {
  /** Takes secrets out of a text before it is cut and kept. */
  readonly redact?: (text: string) => string
}

export function createFold(from: StoreCursor, { redact = (text) => text }: FoldOptions = {}): Fold {
  let place = from
  let turn = from.turn
  let isTurnNew = false
  let isTurnChanged = false
  let weight = 0
  /** What a place says of it is made once, at the end. */
  let last: LogRecord | undefined
  const ops: Op[] = []

  const draft: FoldDraft = {
    get carried() {
      return place.carried
    },
    get turnIndex() {
      return place.turnCount - 1
    },
    clean: (text) => clean(redact(text)),
    know(carried) {
      place = { ...place, carried: { ...place.carried, ...carried } }
    },
    startTurn(event, start) {
      settleTurn()
      const carried = printCarried(place.carried)
      turn = {
        index: place.turnCount,
        start,
        eventId: clean(event.id),
        at: event.timestamp,
        user: '',
        assistant: '',
      }
      const isSame = carried === place.turnCarried
      ops.push({ kind: 'turn-start', turn, carried: isSame ? null : carried })
      place = { ...place, turnCount: place.turnCount + 1, turnCarried: carried }
      isTurnNew = true
    },
    addToUser: (text) => addText('user', text),
    addToAssistant: (text) => addText('assistant', text),
    add(op) {
      weight += 200
      if (op.kind === 'call-end') weight += op.output.length
      if (op.kind === 'thinking') weight += op.content.length
      if (op.kind === 'call-start') weight += op.args.length
      ops.push(op)
    },
    addRefs(refs, at) {
      for (const ref of refs) ops.push({ kind: 'ref', ...ref, turn: draft.turnIndex, at })
    },
  }

  function addText(side: 'user' | 'assistant', text: string): void {
    if (turn === undefined || text.trim() === '') return
    const said = turn[side]
    if (said.length >= MAX_SPEECH) return
    const added = draft.clean(text)
    weight += added.length
    const joined = said === '' ? added : `${said}\n\n${added}`
    turn = { ...turn, [side]: head(joined, MAX_SPEECH) }
    isTurnChanged = true
  }

  function settleTurn(): void {
    if (turn !== undefined && (isTurnNew || isTurnChanged)) ops.push({ kind: 'turn', turn })
    isTurnNew = false
    isTurnChanged = false
  }

  return {
    push(record) {
      const { event } = record
      // The same record again, at the very border between two stretches.
      if (last === undefined ? clean(event.id) === from.lastEventId : event.id === last.event.id) {
        return
      }
      last = record
      if (place.carried.firstAt === undefined) draft.know({ firstAt: clean(event.timestamp) })
      if (!isStranger(event)) applyRule(indexRules, draft, event, record)
    },
    get weight() {
      return weight
    },
    changes() {
      settleTurn()
      return { ops, to: { ...place, ...(last && endOf(last)), turn } }
    },
  }
}

const endOf = ({ event, start, end }: LogRecord) => ({
  offset: end,
  lastEventId: clean(event.id),
  lastEventStart: start,
  lastEventAt: clean(event.timestamp),
})
