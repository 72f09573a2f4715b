/**
 * Sets formulas by KaTeX, which makes elements and never markup. What was said is hostile: it is trusted with no address,
 * class or definition, is bounded in size, and whatever was made is looked through before it is shown.
 */
import katex from 'katex'

const LONGEST = 4000
const MOST_ELEMENTS = 6000
const DEEPEST = 120
/** Of a size that a formula names, and of one that it comes to. */
const MOST_EM = 10
const HIGHEST_EM = 160

/** What defines names may define one by itself, again and again. */
const DEFINES =
  /\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand|global|long|(?:re)?newenvironment|char)(?![a-z])/i

const ELEMENTS = new Set(
  (
    'span svg path line math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot ' +
    'munder mover munderover mtable mtr mtd mlabeledtr mstyle mpadded mphantom menclose mglyph'
  ).split(' '),
)
/** Attributes that lead somewhere, act or are found by name: no formula has one. */
const LEADS = /^(?:on|id$|name$|src|data)|href|action/i

const known = new Map<string, Node | undefined>()
const MOST_KNOWN = 300

/** Its fonts and style sheet. */
export const prepare = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = '/formula.css'
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error('The style of formulas is not there.')))
    document.head.append(link)
  })

/** Undefined for what is no formula, or none that may be shown. */
export function typeset(text: string, isBlock: boolean): Node | undefined {
  const key = `${isBlock ? 'block' : 'inline'} ${text}`
  if (!known.has(key)) {
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, made(text, isBlock))
  }
  return known.get(key)?.cloneNode(true)
}

function made(text: string, isBlock: boolean): Node | undefined {
  if (text.length > LONGEST || DEFINES.test(text)) return undefined
  const box = document.createElement('span')
  try {
    katex.render(text, box, {
      displayMode: isBlock,
      trust: refuse,
      strict: 'ignore',
      maxSize: MOST_EM,
      maxExpand: 500,
    })
  } catch {
    // What cannot be set is shown as it was written.
    return undefined
  }
  return box.firstElementChild !== null && isHarmless(box) ? box.firstElementChild : undefined
}

/** A formula that asks for more than signs is shown as it was written. */
function refuse(): never {
  throw new Error('not in a formula')
}

function isHarmless(root: Element): boolean {
  let count = 0
  const isFine = (element: Element, depth: number): boolean =>
    ++count <= MOST_ELEMENTS &&
    depth <= DEEPEST &&
    ELEMENTS.has(element.localName) &&
    [...element.attributes].every(
      ({ name, value }) => !LEADS.test(name) && (name !== 'style' || isSmall(value)),
    ) &&
    [...element.children].every((child) => isFine(child, depth + 1))
  return isFine(root, 0)
}

/** KaTeX bounds what is given in TeX upwards only. */
const isSmall = (value: string): boolean =>
  [...value.matchAll(/(-?[\d.]+)em\b/g)].every(([, size]) => Math.abs(Number(size)) <= HIGHEST_EM)
