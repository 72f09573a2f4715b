/** A question in the middle of the screen: one of several, yes or no, or a line of text. */

export type Option = { readonly label: string; readonly detail?: string }

export type Dialog =
  | {
      readonly kind: 'choice'
      readonly title: string
      readonly options: readonly Option[]
      readonly at: number
      readonly filter: string
      /** What is known about the marked option, when it takes time to find out. */
      readonly preview?: readonly string[]
      /** More than one thing can be done with the marked one: its key, and what it does. Then typing filters nothing. */
      readonly deeds?: Deeds
      /** Nobody asked for it: what is typed leaves it and goes to the editor. */
      readonly givesWay?: true
    }
  | { readonly kind: 'confirm'; readonly title: string }
  | { readonly kind: 'line'; readonly title: string; readonly text: string }

/** Keys and what each does. */
export type Deeds = readonly (readonly [key: string, what: string])[]

/** A choice is the place in `options`; nothing at all when the question was left. */
export type Reply =
  number | boolean | string | { readonly place: number; readonly deed: string } | undefined

export type Stepped = { readonly dialog: Dialog } | { readonly reply: Reply }

/** Keys have their names: `enter`, `escape`, `up`; anything of one sign is that sign. */
export function stepDialog(dialog: Dialog, key: string): Stepped {
  if (key === 'escape' || key === 'ctrl+c') return { reply: undefined }
  if (dialog.kind === 'confirm') {
    if (key === 'y' || key === 'Y') return { reply: true }
    return key === 'n' || key === 'N' || key === 'enter' ? { reply: false } : { dialog }
  }
  if (dialog.kind === 'line') return stepLine(dialog, key)
  return stepChoice(dialog, key)
}

function stepLine(dialog: Extract<Dialog, { kind: 'line' }>, key: string): Stepped {
  if (key === 'enter') return { reply: dialog.text }
  return { dialog: { ...dialog, text: typed(dialog.text, key) } }
}

function stepChoice(dialog: Extract<Dialog, { kind: 'choice' }>, key: string): Stepped {
  const shown = matching(dialog)
  const { at } = dialog
  const move = (by: number): Stepped => ({
    dialog: { ...dialog, at: Math.max(0, Math.min(shown.length - 1, at + by)) },
  })
  if (dialog.deeds?.some(([each]) => each === key)) {
    const place = shown[at]
    return place === undefined ? { dialog } : { reply: { place, deed: key } }
  }
  if (key === 'enter') return { reply: shown[at] }
  if (key === 'up') return move(-1)
  if (key === 'down' || key === 'tab') return move(1)
  if (key === 'pageUp') return move(-10)
  if (key === 'pageDown') return move(10)
  if (dialog.deeds !== undefined) return { dialog }
  const isPlace = /^[1-9]$/.test(key) && dialog.filter === ''
  // Where a digit is part of a name ("gpt-4o") it is the beginning of that.
  if (isPlace && dialog.options.every(({ label }) => !label.includes(key))) {
    const place = shown[Number(key) - 1]
    if (place !== undefined) return { reply: place }
  }
  const filter = typed(dialog.filter, key)
  return filter === dialog.filter ? { dialog } : { dialog: { ...dialog, filter, at: 0 } }
}

/** The places of the options that the filter leaves. */
export function matching({ options, filter }: Extract<Dialog, { kind: 'choice' }>): number[] {
  const wanted = filter.toLowerCase()
  return options.flatMap(({ label, detail = '' }, at) =>
    `${label} ${detail}`.toLowerCase().includes(wanted) ? [at] : [],
  )
}

export function typed(text: string, key: string): string {
  if (key === 'backspace') return [...text].slice(0, -1).join('')
  if (key === 'ctrl+u') return ''
  if (key === 'space') return `${text} `
  return [...key].length === 1 ? text + key : text
}
