/** Says that what is on the screen may be old, and why. */
import type { Connection } from '../stream.ts'

type Props = {
  readonly connection: Connection
  readonly failure: string | undefined
  readonly isGone: boolean
  /** What to do for who is not let in any more. */
  readonly refused?: string
}

export function Banner({ connection, failure, isGone, refused = notLoggedIn }: Props) {
  const words = { refused, lost: failure ?? lost, connecting: failure, open: failure }
  const text = isGone ? 'This session was deleted.' : words[connection]
  return (
    <div role="status" class={text === undefined ? 'banner-none' : 'banner'}>
      {text}
    </div>
  )
}

const lost = 'The connection is lost. Trying again by itself…'
const notLoggedIn =
  'This browser is not logged in any more. "reprise web" prints a link that logs it in.'
