/** Says that what is on the screen may be old, and why. */
import type { Connection } from '../stream.ts'

type Props = {
  readonly connection: Connection
  readonly failure: string | undefined
  readonly isGone: boolean
}

export function Banner({ connection, failure, isGone }: Props) {
  const text = isGone ? 'This session was deleted.' : (failure ?? words[connection])
  return (
    <div role="status" class={text === undefined ? 'banner-none' : 'banner'}>
      {text}
    </div>
  )
}

const words: Partial<Record<Connection, string>> = {
  lost: 'The connection is lost. Trying again by itself…',
  refused: 'This browser is not logged in any more. "reprise web" prints a link that logs it in.',
}
