/**
 * The keys of vim over an editor that has none: `esc` leaves the text, and then letters move and change it, told to the
 * editor as the keys that it knows. Counts, the operators d, c and y with the motions below, and the commands of one
 * letter. What is no command here is for nobody, so that nothing is typed by chance.
 */

export type VimMode = 'insert' | 'normal'

type Place = { readonly lines: readonly string[]; readonly line: number; readonly col: number }

const LEFT = '\x1b[D'
const RIGHT = '\x1b[C'
const UP = '\x1b[A'
const DOWN = '\x1b[B'
const HOME = '\x01'
const END = '\x05'
const WORD_LEFT = '\x1bb'
const WORD_RIGHT = '\x1bf'
const DELETE = '\x1b[3~'
const BACKSPACE = '\x7f'
const CUT_WORD = '\x1bd'
const CUT_WORD_BACK = '\x17'
const CUT_TO_END = '\x0b'
const CUT_TO_START = '\x15'
const PUT = '\x19'
const UNDO = '\x1f'
const NEW_LINE = '\n'
const FIND = '\x1d'
const FIND_BACK = '\x1b\x1d'

const motions: Readonly<Record<string, string>> = {
  h: LEFT,
  left: LEFT,
  backspace: LEFT,
  l: RIGHT,
  right: RIGHT,
  space: RIGHT,
  j: DOWN,
  down: DOWN,
  k: UP,
  up: UP,
  w: WORD_RIGHT,
  e: WORD_RIGHT,
  b: WORD_LEFT,
  '0': HOME,
  '^': HOME,
  home: HOME,
  $: END,
  end: END,
}

/** What an operator cuts with each motion. */
const cuts: Readonly<Record<string, string>> = {
  w: CUT_WORD,
  e: CUT_WORD,
  b: CUT_WORD_BACK,
  $: CUT_TO_END,
  '0': CUT_TO_START,
  '^': CUT_TO_START,
  h: BACKSPACE,
  l: DELETE,
}

type Single = { readonly inputs: readonly string[]; readonly after?: 'insert' }

const singles: Readonly<Record<string, Single>> = {
  i: { inputs: [], after: 'insert' },
  a: { inputs: [RIGHT], after: 'insert' },
  I: { inputs: [HOME], after: 'insert' },
  A: { inputs: [END], after: 'insert' },
  o: { inputs: [END, NEW_LINE], after: 'insert' },
  O: { inputs: [HOME, NEW_LINE, UP], after: 'insert' },
  x: { inputs: [DELETE] },
  X: { inputs: [BACKSPACE] },
  s: { inputs: [DELETE], after: 'insert' },
  S: { inputs: [HOME, CUT_TO_END], after: 'insert' },
  C: { inputs: [CUT_TO_END], after: 'insert' },
  D: { inputs: [CUT_TO_END] },
  J: { inputs: [END, DELETE] },
  p: { inputs: [RIGHT, PUT] },
  P: { inputs: [PUT] },
  u: { inputs: [UNDO] },
}

export function createVim() {
  let mode: VimMode = 'insert'
  /** Keys of a command that is not whole. */
  let pending = ''
  let count = ''

  const done = (inputs: readonly string[], then: VimMode = 'normal'): readonly string[] => {
    const times = Math.min(Number(count || '1'), 999)
    ;[mode, pending, count] = [then, '', '']
    return Array.from({ length: times }, () => inputs).flat()
  }

  function normal(key: string, place: Place): readonly string[] {
    const before = pending
    if (before === '' && /^[0-9]$/.test(key) && (key !== '0' || count !== '')) {
      count += key
      return []
    }
    if (before !== '') return second(before, key, place)
    if ('dcyrfFtTg'.includes(key) && key.length === 1) {
      pending = key
      return []
    }
    if (key === 'G') return done([...toLine(place, place.lines.length - 1), END])
    const single = singles[key]
    if (single !== undefined) return done(single.inputs, single.after)
    const motion = motions[key]
    return done(motion === undefined ? [] : [motion])
  }

  function second(before: string, key: string, place: Place): readonly string[] {
    if (before === 'g') return done(key === 'g' ? [...toLine(place, 0), HOME] : [])
    if (before === 'r') return done(key.length === 1 ? [DELETE, key, LEFT] : [])
    if (before === 'f' || before === 't')
      return done([FIND, key, ...(before === 't' ? [LEFT] : [])])
    if (before === 'F' || before === 'T')
      return done([FIND_BACK, key, ...(before === 'T' ? [RIGHT] : [])])
    const then = before === 'c' ? 'insert' : 'normal'
    if (key === before) return done(wholeLine(before, place), then)
    const cut = cuts[key]
    if (cut === undefined) return done([])
    return done(before === 'y' ? [cut, PUT] : [cut], then)
  }

  return {
    mode: () => mode,
    /** Typing again, as for a fresh message. */
    insert: () => void ([mode, pending, count] = ['insert', '', '']),
    /** What the editor is told for a key; undefined where the key is not for vim. */
    press(key: string, place: Place): readonly string[] | undefined {
      if (mode === 'insert') {
        if (key !== 'escape') return undefined
        mode = 'normal'
        return place.col > 0 ? [LEFT] : []
      }
      if (key === 'escape') {
        if (pending === '' && count === '') return undefined
        ;[pending, count] = ['', '']
        return []
      }
      const isEmpty = place.lines.length === 1 && place.lines[0] === ''
      // Nothing is there to be moved in: a command, a file, a shell command or a question begins.
      if (isEmpty && '/@!?'.includes(key) && key.length === 1) {
        mode = 'insert'
        return undefined
      }
      const isForText = [...key].length === 1 || motions[key] !== undefined
      return isForText ? normal(key, place) : undefined
    },
  }
}

const toLine = ({ line }: Place, wanted: number): readonly string[] =>
  Array.from({ length: Math.abs(wanted - line) }, () => (wanted < line ? UP : DOWN))

/** The last line takes the break before it along, any other the one behind it. */
function wholeLine(operator: string, { lines, line }: Place): readonly string[] {
  if (operator === 'y') return [HOME, CUT_TO_END, PUT]
  if (operator === 'c' || lines.length === 1) return [HOME, CUT_TO_END]
  const isLast = line === lines.length - 1
  return [HOME, CUT_TO_END, isLast ? BACKSPACE : DELETE]
}
