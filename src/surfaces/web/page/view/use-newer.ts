/** Whether the server has another page by now: looked for when the line is back, and when the tab is looked at again. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { getText } from '../client.ts'
import type { LinkState } from '../live/messages.ts'

const BUILD = /<meta name="build" content="(\w+)"/

/** `version` is the server's when the page was loaded. */
export function useNewer(link: LinkState | undefined, version: string | undefined): boolean {
  const [hasOther, setOther] = useState(false)
  const loaded = useRef(document.querySelector<HTMLMetaElement>('meta[name=build]')?.content)
  const isOpen = link?.connection === 'open'
  useEffect(() => {
    if (!isOpen) return undefined
    const look = () => {
      if (document.hidden) return
      getText('/').then(
        (page) => {
          const served = BUILD.exec(page)?.[1]
          setOther(served !== undefined && served !== loaded.current)
        },
        // A server that cannot be reached now is asked when the line is back.
        () => {},
      )
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [isOpen])
  const isOther = version !== undefined && link?.version !== undefined && link.version !== version
  return hasOther || isOther
}
