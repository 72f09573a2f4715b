/** A list of commands that became another one while a command is typed: it is offered as it is now. */
import type { AutocompleteProvider, Editor } from '@earendil-works/pi-tui'

const TAB = '\t'

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
