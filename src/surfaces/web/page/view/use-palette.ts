/** Which commands are offered for the text in a field, which of them is chosen, and the keys that do it. */
import { useEffect, useState } from 'preact/hooks'
import type { CommandsAnswer } from '../../api.ts'
import { sessionPath } from '../client.ts'
import { candidatesFor, mayBeCommand, type Candidate } from '../model/completion.ts'
import { useAnswer } from './use-answer.ts'

interface OpenPalette {
  readonly candidates: readonly Candidate[]
  readonly chosen: number
  /** True when the key was meant for the palette. */
  press(key: string): boolean
}

export function usePalette(
  id: string,
  text: string,
  write: (text: string) => void,
): OpenPalette | undefined {
  const isCommand = mayBeCommand(text)
  const path = isCommand ? sessionPath(id, '/commands') : undefined
  const { answer: own } = useAnswer<CommandsAnswer>(path)
  // The agent may have to come up first: ours are offered meanwhile.
  const { answer = own } = useAnswer<CommandsAnswer>(path, { agent: 'true' })
  const [at, setAt] = useState(0)
  const [dismissed, setDismissed] = useState<string>()
  useEffect(() => setAt(0), [text])
  if (!isCommand || answer === undefined || dismissed === text) return undefined
  const candidates = candidatesFor(answer.commands, text)
  const chosen = candidates[at]
  if (chosen === undefined) return undefined
  const move = (by: number) => setAt((at + by + candidates.length) % candidates.length)
  const isDone = chosen.line.trim() === text.trim()
  return {
    candidates,
    chosen: at,
    press(key) {
      if (key === 'ArrowDown') move(1)
      else if (key === 'ArrowUp') move(-1)
      else if (key === 'Escape') setDismissed(text)
      else if (key === 'Tab' || (key === 'Enter' && !isDone)) write(chosen.line)
      else return false
      return true
    },
  }
}
