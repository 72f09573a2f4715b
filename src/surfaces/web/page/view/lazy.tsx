/** A view whose code is fetched when it is first shown; until then a word says so. */
import { h, type ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { onceBack } from '../live/shared-stream.ts'
import { useLink } from './banner.tsx'

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let found: ComponentType<P> | undefined
  return function Lazy(props: P) {
    const [view, setView] = useState(() => found)
    const [isFailed, setFailed] = useState(false)
    const [tries, setTries] = useState(0)
    useEffect(() => {
      if (view !== undefined) return undefined
      const abort = new AbortController()
      load().then(
        (loaded) => {
          found = loaded
          setView(() => loaded)
        },
        // Without a server it comes with the next one; a page of a version that is gone cannot fetch its parts any more.
        () => {
          setFailed(true)
          onceBack(() => setTries((count) => count + 1), abort.signal)
        },
      )
      return () => abort.abort()
    }, [tries])
    if (view !== undefined) return h(view, props)
    return (
      <main class="page" id="content">
        {isFailed ? <NotLoaded /> : <p class="faint">Loading…</p>}
      </main>
    )
  }
}

function NotLoaded() {
  if (useLink()?.connection !== 'open')
    return (
      <p class="bad" role="status">
        This part of the page is not loaded yet. It comes when the server can be reached again.
      </p>
    )
  return (
    <p class="buttons" role="status">
      <span class="bad">
        This part of the page cannot be loaded: the server has another version.
      </span>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </p>
  )
}
