/** Which part of the screen a key is for. What is left goes to the editor. */
import { decodeKittyPrintable, isKeyRelease, parseKey } from '@earendil-works/pi-tui'
import { isPicturePath, pastedText } from './editor/paste.ts'
import { hasLostQuestion, isBusy, type Model } from './model/model.ts'

type Deeds = {
  readonly model: () => Model
  readonly now: () => number
  readonly editor: {
    getText(): string
    setText(text: string): void
    insertTextAtCursor(text: string): void
    isShowingAutocomplete(): boolean
  }
  keepPaste(text: string): string | undefined
  /** A picture by its path, or of the clipboard; where there is none the text is pasted as it is. */
  takePicture(path: string | undefined): void
  dialog(key: string): void
  picker(key: string): void
  page(key: string): void
  scroll(lines: number | 'end'): void
  fold(): void
  pick(): void
  searchHistory(): void
  /** The message in the person's own editor. */
  edit(): void
  /** The shell has the terminal until it lets the program go on. */
  suspend(): void
  /** A list of completions that was found for another text than stands there now is not taken from. */
  closeOldList(): void
  nextMode(): void
  /** Empties the editor; what stood there is among the earlier messages. */
  putAside(): void
  redo(): void
  /** What stands in the editor was given back and is as it was. */
  isGivenBack(): boolean
  help(): void
  rewind(): void
  cancel(): void
  steer(): void
  quit(): void
  hint(text: string | undefined): void
  askAgain(): void
  /** With the keys of vim: true when it moved or changed the text. */
  vim(key: string): boolean
  /** What the agent asks; true when the key was for it. */
  asked(key: string): boolean
  takeBack(): boolean
}

const TWICE_MS = 800
/** What the library calls them when they come in one read. */
const TWO_ESCAPES = 'ctrl+alt+['

/** True when the key was dealt with. */
type Press = (data: string) => boolean

export function createPress(deeds: Deeds): Press {
  let last = { key: '', at: -Infinity }
  /** The key that does more when it is pressed again, as a hint says. */
  let offered: string | undefined
  return (data) => {
    if (isKeyRelease(data)) return true
    const { dialog, picker, page } = deeds.model()
    const pasted = pastedText(data)
    if (pasted !== undefined) return paste(pasted)
    const key = nameOf(data)
    if (data.startsWith('/') && dialog === undefined && picker === undefined && deeds.isGivenBack())
      deeds.editor.setText('')
    // What the hint says holds for as long as it stands there.
    const isSoon = deeds.now() - last.at < TWICE_MS
    const isTwice = key === offered || (key === last.key && isSoon)
    last = { key, at: deeds.now() }
    offered = undefined
    if (deeds.model().hint !== undefined) deeds.hint(undefined)
    if (key === 'ctrl+z') {
      deeds.suspend()
      return true
    }
    if (dialog?.kind === 'choice' && dialog.givesWay === true && isSign(key)) {
      deeds.dialog('escape')
      return general(key, false)
    }
    const only = key === TWO_ESCAPES ? 'escape' : key
    if (dialog !== undefined) deeds.dialog(only)
    else if (picker !== undefined) deeds.picker(only)
    else if (page !== undefined) deeds.page(only)
    else return deeds.asked(key) || vim(key) || general(key, isTwice)
    return true
  }

  function paste(text: string): boolean {
    const { dialog, picker, page } = deeds.model()
    const into =
      dialog !== undefined ? deeds.dialog : picker !== undefined ? deeds.picker : undefined
    if (into !== undefined)
      for (const sign of text.split('\n', 1)[0]?.slice(0, 200) ?? '') into(sign)
    if (into !== undefined || page !== undefined) return true
    // Terminals paste nothing when the clipboard has a picture.
    if (text === '' || isPicturePath(text)) {
      deeds.takePicture(text === '' ? undefined : text)
      return true
    }
    const label = deeds.keepPaste(text)
    if (label === undefined) return false
    deeds.editor.insertTextAtCursor(label)
    return true
  }

  /** A turn that runs is cancelled by the first key that can mean nothing else. */
  function vim(key: string): boolean {
    const { editor } = deeds
    const isToCancel = key === 'escape' && deeds.model().turn.mine && editor.getText() === ''
    return !isToCancel && !editor.isShowingAutocomplete() && deeds.vim(key)
  }

  function general(key: string, isTwice: boolean): boolean {
    const { editor } = deeds
    if ((key === 'enter' || key === 'tab') && editor.isShowingAutocomplete()) deeds.closeOldList()
    const isEmpty = editor.getText() === ''
    switch (key) {
      case 'escape':
        return !editor.isShowingAutocomplete() && escape(isTwice)
      case TWO_ESCAPES:
        if (isBusy(deeds.model())) deeds.cancel()
        else deeds.rewind()
        return true
      case 'ctrl+c':
        return interrupt(isEmpty, isTwice)
      case 'ctrl+d':
        if (isEmpty) deeds.quit()
        return isEmpty
      case 'ctrl+y': // Where a text is being edited it brings back what was cut.
        if (!isEmpty && !deeds.isGivenBack()) return false
        deeds.redo()
        return true
      case 'enter':
        // Nothing is written: it can only be meant for the question.
        if (!isEmpty || !hasLostQuestion(deeds.model())) return false
        deeds.askAgain()
        return true
      case '?':
        if (isEmpty) deeds.help()
        return isEmpty
      case 'up':
        return isEmpty && deeds.takeBack()
      case 'pageUp':
      case 'pageDown':
        deeds.scroll(key === 'pageUp' ? 10 : -10)
        return true
      case 'ctrl+end':
        deeds.scroll('end')
        return true
      default:
        always[key]?.(deeds)
        return Object.hasOwn(always, key)
    }
  }

  function escape(isTwice: boolean): boolean {
    const { turn, anchor } = deeds.model()
    if (turn.mine) deeds.cancel()
    else if (anchor !== undefined) deeds.scroll('end')
    else if (turn.theirs && isTwice) deeds.cancel()
    else if (turn.theirs) offer('escape', 'esc again cancels the turn of the other terminal')
    else if (isTwice) deeds.rewind()
    else offer('escape', 'esc again goes back in time')
    return true
  }

  function interrupt(isEmpty: boolean, isTwice: boolean): boolean {
    if (!isEmpty) {
      deeds.putAside()
      deeds.hint('up brings the text back')
    } else if (deeds.model().turn.mine) deeds.cancel()
    else if (isTwice) deeds.quit()
    else
      offer(
        'ctrl+c',
        isBusy(deeds.model())
          ? 'ctrl+c again leaves; the other terminal goes on'
          : 'ctrl+c again leaves',
      )
    return true
  }

  function offer(key: string, words: string): void {
    offered = key
    deeds.hint(words)
  }
}

/** Keys that mean the same whatever is written and goes on. */
const always: Readonly<Record<string, (deeds: Deeds) => void>> = {
  'ctrl+o': (deeds) => deeds.fold(),
  'shift+tab': (deeds) => deeds.nextMode(),
  'ctrl+p': (deeds) => deeds.pick(),
  'ctrl+v': (deeds) => deeds.takePicture(undefined),
  'ctrl+r': (deeds) => deeds.searchHistory(),
  'ctrl+g': (deeds) => deeds.edit(),
  'alt+enter': (deeds) => deeds.steer(),
}

const isSign = (key: string): boolean => key === 'space' || [...key].length === 1

/** Keys with alt that move or change a text. */
const WITH_ALT = 'bfdy'

/**
 * An escape and what was typed right behind it, which come in one read over a slow line or through tmux, and cannot be
 * told from that key with alt; where alt means nothing, both are meant. With the keys of vim it never means anything.
 */
export function partedEscape(
  data: string,
  isVim: boolean,
): readonly [escape: string | undefined, typed: string] {
  const [escape, sign = '', more] = [...data]
  const isMeant = sign > ' ' && !'[O\x7f'.includes(sign) && (isVim || !WITH_ALT.includes(sign))
  return escape === '\x1b' && isMeant && more === undefined ? [escape, sign] : [undefined, data]
}

/** A sign that can be seen is itself. */
function nameOf(data: string): string {
  const printable = decodeKittyPrintable(data)
  if (printable !== undefined) return printable
  const [sign, more] = [...data]
  if (sign !== undefined && more === undefined && sign > ' ' && sign !== '\x7f') return sign
  return parseKey(data) ?? ''
}
