/** The lines of a changed file, in one column or side by side, with what is far from a change folded. */
import { Fragment } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CodePiece } from '../model/code-piece.ts'
import { sideBySide, withContext, type DiffLine } from '../model/diff.ts'
import type { ChangedFile, Comment } from '../model/review.ts'
import { visible } from '../model/words.ts'
import { Marked, signs } from './diff.tsx'
import { languageOf, useHighlighted } from './highlight.ts'
import { LineBox } from './line-box.tsx'
import type { Layout } from './review-head.tsx'

type Props = {
  readonly id: string
  readonly file: ChangedFile
  readonly lines: readonly DiffLine[]
  readonly layout: Layout
  readonly shownLine: number | undefined
  readonly comments: readonly Comment[]
  readonly onComment: (comment: Comment) => void
  readonly onUncomment: (comment: Comment) => void
}

/** More rows than this are shown when the user asks for them. */
const MOST_ROWS = 3000

export function ReviewLines(props: Props) {
  const { id, file, lines, layout, shownLine, comments, onComment, onUncomment } = props
  const [openGaps, setOpenGaps] = useState<ReadonlySet<number>>(new Set())
  const [asked, setAsked] = useState<DiffLine>()
  const [most, setMost] = useState(MOST_ROWS)
  const box = useRef<HTMLDivElement>(null)
  const parts = useMemo(() => withContext(lines), [lines])
  const colour = useColours(lines, languageOf(file.path))
  const isMeant = (line: DiffLine) =>
    shownLine !== undefined && shownLine > 0 && numberOf(line) === shownLine
  const isOpen = (part: (typeof parts)[number], at: number) =>
    part.kind === 'lines' || openGaps.has(at) || part.lines.some(isMeant)
  useEffect(() => {
    box.current?.querySelector('.is-shown')?.scrollIntoView({ block: 'center' })
  }, [shownLine])

  const columns = layout === 'split' ? 4 : 3
  const below = (line: DiffLine) => {
    const own = comments.filter(
      (comment) =>
        comment.line === numberOf(line) &&
        comment.isRemoved === (line.kind === 'remove') &&
        comment.code === line.text,
    )
    if (asked !== line && own.length === 0) return null
    return (
      <tr>
        <td colSpan={columns}>
          <LineBox
            id={id}
            path={file.path}
            line={line}
            comments={own}
            isOpen={asked === line}
            onComment={(text) => {
              setAsked(undefined)
              onComment({
                path: file.path,
                line: numberOf(line),
                isRemoved: line.kind === 'remove',
                code: line.text,
                text,
              })
            }}
            onUncomment={onUncomment}
            onClose={() => setAsked(undefined)}
          />
        </td>
      </tr>
    )
  }
  const at = (line: DiffLine | undefined, side: 'old' | 'now') => (
    <LineNumber line={line} side={side} onAsk={() => setAsked(asked === line ? undefined : line)} />
  )
  const text = (line: DiffLine | undefined) => (
    <td class={line === undefined ? 'text none' : `text d-${line.kind}`}>
      {line !== undefined && (
        <>
          <span class="sign">{signs[line.kind]}</span>
          <Words line={line} pieces={colour(line)} />
        </>
      )}
    </td>
  )
  let drawn = 0
  return (
    <div
      ref={box}
      class={`review-lines ${layout === 'split' ? 'is-split' : ''}`}
      tabIndex={0}
      role="region"
      aria-label={`Lines of ${visible(file.path)}`}
    >
      <table>
        {layout === 'split' && (
          <colgroup>
            <col class="col-nr" />
            <col />
            <col class="col-nr" />
            <col />
          </colgroup>
        )}
        <tbody>
          {parts.map((part, index) => {
            if (!isOpen(part, index))
              return (
                <tr class="gap">
                  <td colSpan={columns}>
                    <button
                      type="button"
                      class="quiet small"
                      onClick={() => setOpenGaps(new Set([...openGaps, index]))}
                    >
                      Show {part.lines.length} lines between
                    </button>
                  </td>
                </tr>
              )
            const room = most - drawn
            if (room <= 0) return null
            drawn += part.lines.length
            const shown = part.lines.slice(0, room)
            return layout === 'split'
              ? sideBySide(shown).map(({ left, right }) => (
                  <Fragment>
                    <tr
                      class={[left, right].some((each) => each && isMeant(each)) ? 'is-shown' : ''}
                    >
                      {at(left, 'old')}
                      {text(left)}
                      {at(right, 'now')}
                      {text(right)}
                    </tr>
                    {left !== undefined && left !== right && below(left)}
                    {right !== undefined && below(right)}
                  </Fragment>
                ))
              : shown.map((line) => (
                  <Fragment>
                    <tr class={isMeant(line) ? 'is-shown' : ''}>
                      {at(line, 'old')}
                      {at(line, 'now')}
                      {text(line)}
                    </tr>
                    {below(line)}
                  </Fragment>
                ))
          })}
        </tbody>
      </table>
      {drawn >= most && (
        <button type="button" class="quiet small" onClick={() => setMost(most + MOST_ROWS)}>
          Show more lines
        </button>
      )}
    </div>
  )
}

function LineNumber({
  line,
  side,
  onAsk,
}: {
  readonly line: DiffLine | undefined
  readonly side: 'old' | 'now'
  readonly onAsk: () => void
}) {
  return (
    <td class={line === undefined ? 'at none' : `at d-${line.kind}`}>
      {line !== undefined && isOn(line, side) && (
        <button
          type="button"
          aria-label={`Line ${line[side] ?? 'without a number'}: comment or blame`}
          onClick={onAsk}
        >
          {line[side] ?? '·'}
        </button>
      )}
    </td>
  )
}

/** Whether it is a line of the file before, or after. */
const isOn = ({ kind }: DiffLine, side: 'old' | 'now'): boolean =>
  kind === 'same' || kind === (side === 'old' ? 'remove' : 'add')

/** Its number after the change; before, where it is gone; 0 where it is not known. */
const numberOf = ({ kind, old, now }: DiffLine): number => (kind === 'remove' ? old : now) ?? 0

/** Words that differ are marked; elsewhere the colours of the language are shown. */
function Words({
  line,
  pieces,
}: {
  readonly line: DiffLine
  readonly pieces: readonly CodePiece[] | undefined
}) {
  if (pieces === undefined || (line.marks?.length ?? 0) > 0)
    return <Marked text={line.text} marks={line.marks} />
  return (
    <>
      {pieces.map(({ text, scope }) =>
        scope === '' ? visible(text) : <span class={`t-${scope}`}>{visible(text)}</span>,
      )}
    </>
  )
}

/** Both sides are coloured whole, so that what spans lines is right, and then taken apart into lines. */
function useColours(
  lines: readonly DiffLine[],
  language: string,
): (line: DiffLine) => readonly CodePiece[] | undefined {
  const [old, now] = useMemo(
    () => [
      lines
        .filter((line) => isOn(line, 'old'))
        .map(({ text }) => text)
        .join('\n'),
      lines
        .filter((line) => isOn(line, 'now'))
        .map(({ text }) => text)
        .join('\n'),
    ],
    [lines],
  )
  const before = useHighlighted(old ?? '', language)
  const after = useHighlighted(now ?? '', language)
  const coloured = useMemo(() => {
    const known = new Map<DiffLine, readonly CodePiece[] | undefined>()
    const [oldLines, nowLines] = [before && byLine(before), after && byLine(after)]
    const [old, now] = [oldLines?.values(), nowLines?.values()]
    for (const line of lines) {
      const was = isOn(line, 'old') ? old?.next().value : undefined
      known.set(line, isOn(line, 'now') ? now?.next().value : was)
    }
    return known
  }, [lines, before, after])
  return (line) => coloured.get(line)
}

function byLine(pieces: readonly CodePiece[]): CodePiece[][] {
  const lines: CodePiece[][] = [[]]
  for (const { text, scope } of pieces)
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, scope })
    })
  return lines
}
