/** Says that what is on the screen may be old, why, and what to do. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { LinkState } from '../live/messages.ts'
import { wake, watchLink } from '../live/shared-stream.ts'

/** How the one stream of all tabs is doing. */
export function useLink(): LinkState | undefined {
  const [link, setLink] = useState<LinkState>()
  useEffect(() => watchLink(setLink), [])
  return link
}

/** For the whole page: the line to the server, and whether another page is served now than this one. */
export function LinkBanner({
  link,
  hasNewer,
}: {
  readonly link: LinkState | undefined
  readonly hasNewer: boolean
}) {
  const isLost = link?.connection === 'lost'
  const isOld = hasNewer && !isLost
  const text =
    link?.connection === 'refused'
      ? notLoggedIn
      : isLost
        ? lost(link.tries)
        : isOld
          ? old
          : undefined
  return (
    <div
      role="status"
      class={text === undefined ? 'banner-none' : `banner ${isLost ? 'is-lost' : ''}`}
    >
      {text}
      {isLost && (
        <button type="button" class="quiet" onClick={wake}>
          Try now
        </button>
      )}
      {isOld && (
        <button type="button" class="quiet" onClick={() => location.reload()}>
          Load it
        </button>
      )}
    </div>
  )
}

/** For one view. */
export const Banner = ({
  text,
  again,
  children,
}: {
  readonly text: string | undefined
  readonly again?: (() => void) | undefined
  readonly children?: ComponentChildren
}) => (
  <div role="status" class={text === undefined ? 'banner-none' : 'banner'}>
    {text}
    {again !== undefined && (
      <button type="button" class="quiet" onClick={again}>
        Try again
      </button>
    )}
    {children}
  </div>
)

export const gone = 'This session was deleted. What you typed is kept.'
const lost = (tries: number) =>
  `Disconnected: the connection is lost. What you see may be old; what you type is kept. Trying again by itself${tries > 1 ? ` (${tries} tries)` : ''}…`
const old = 'Reprise was updated. This page is the one from before; what you typed is kept.'
const notLoggedIn =
  'This browser is not logged in any more. “reprise web --link” prints a link that logs it in.'
