/** What would be done at a yes, as what it is: a plan, a diff, several lines, a line. */
import type { Ask } from '../../../../state/asks.ts'
import { isDiff, parseDiff } from '../model/diff.ts'
import { visible } from '../model/words.ts'
import { Diff } from './diff.tsx'
import { Markdown } from './markdown.tsx'

type Props = { readonly ask: Extract<Ask, { kind: 'permission' }> }

export function AskBody({ ask: { what, body, isPlan } }: Props) {
  if (body === '' || body === what) return null
  if (isPlan)
    return (
      <div class="plan" role="group" aria-label="Plan" tabIndex={0}>
        <Markdown text={body} />
      </div>
    )
  if (isDiff(body)) return <Diff lines={parseDiff(body).filter(({ kind }) => kind !== 'head')} />
  if (!body.includes('\n')) return <p class="faint">{visible(body)}</p>
  return (
    <pre class="args" tabIndex={0}>
      {visible(body)}
    </pre>
  )
}
