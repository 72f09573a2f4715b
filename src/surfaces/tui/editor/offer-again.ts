/** Lists of completions that are old: offered as they are now, or not taken from. */
import type { AutocompleteProvider, Editor } from '@earendil-works/pi-tui'
import type { Completion } from './complete.ts'

const TAB = '\t'

/** One of commands that became another one while a command is typed. */
export function offerAgain(
  editor: Pick<Editor, 'getLines' | 'getCursor' | 'setAutocompleteProvider' | 'handleInput'>,
  provider: AutocompleteProvider,
): void {
  const { line, col } = editor.getCursor()
  const before = (editor.getLines()[0] ?? '').slice(0, col)
  if (line !== 0 || !/^\/\S*$/.test(before)) return
  // The library asks again at the next key, and closes a list when it is given whom to ask.
  editor.setAutocompleteProvider(provider)
  editor.handleInput(TAB)
}

/** One that was found for another text than stands there now. */
export function closeOldList(
  editor: Pick<Editor, 'getLines' | 'getCursor' | 'setAutocompleteProvider'>,
  completing: Completion,
): void {
  const { line, col } = editor.getCursor()
  const before = (editor.getLines()[line] ?? '').slice(0, col)
  // The library closes a list when it is given whom to ask.
  if (!completing.isFor(before)) editor.setAutocompleteProvider(completing)
}
