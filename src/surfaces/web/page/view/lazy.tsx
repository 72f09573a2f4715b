/** A view whose code is fetched when it is first shown; until then a word says so. */
import { h } from 'preact'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let found: ComponentType<P> | undefined
  return function Lazy(props: P) {
    const [view, setView] = useState(() => found)
    const [failure, setFailure] = useState<string>()
    useEffect(() => {
      if (view !== undefined) return
      load().then(
        (loaded) => {
          found = loaded
          setView(() => loaded)
        },
        // A page of a version that is gone cannot fetch its parts any more.
        () => setFailure('This part of the page cannot be loaded. Load the page again.'),
      )
    }, [])
    if (view !== undefined) return h(view, props)
    return (
      <main class="page" id="content">
        <p class={failure === undefined ? 'faint' : 'bad'} role="status">
          {failure ?? 'Loading…'}
        </p>
      </main>
    )
  }
}
