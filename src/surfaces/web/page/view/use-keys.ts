/** Listens to the keys of the whole page. */
import { useEffect, useRef } from 'preact/hooks'
import { press, type Command } from '../model/keys.ts'

export function useKeys(onCommand: (command: Command) => void): void {
  const latest = useRef(onCommand)
  latest.current = onCommand
  useEffect(() => {
    let state = { isAfterG: false }
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as Element
      // An open dialog has the keys for itself, and a button or link its Enter.
      if (document.querySelector('dialog[open]') !== null) return
      if (event.key === 'Enter' && target.closest('a, button, summary') !== null) return
      const result = press(state, {
        key: event.key,
        isInField: target.closest('input, textarea, select') !== null,
        hasModifier: event.ctrlKey || event.metaKey || event.altKey,
        hasControl: (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey,
      })
      state = result.state
      if (result.command === undefined) return
      if (result.command !== 'close') event.preventDefault()
      latest.current(result.command)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
