/**
 * Replaces or drops values inside a JSON text and leaves every other character as it was: key order, spaces,
 * escapes, numbers of any precision, repeated keys. A path that is not there changes nothing.
 */

type JsonEdit = {
  /** Keys of objects and positions in arrays, from the outside in. */
  readonly path: readonly string[]
  /** The new value as JSON text; undefined drops the member. */
  readonly value: string | undefined
}

/** Throws a SyntaxError when the text is not JSON where it is looked at. */
export function spliceJson(text: string, edits: readonly JsonEdit[]): string {
  const patches: Patch[] = []
  collect(text, afterSpace(text, 0), edits, patches)
  let result = ''
  let copied = 0
  for (const { start, end, value } of patches) {
    result += text.slice(copied, start) + value
    copied = end
  }
  return result + text.slice(copied)
}

type Patch = { readonly start: number; readonly end: number; readonly value: string }
type Member = { readonly start: number; readonly end: number; readonly isDropped: boolean }

/** Adds the patches inside the value at a place; gives the place behind the value. */
function collect(text: string, at: number, edits: readonly JsonEdit[], patches: Patch[]): number {
  const isObject = text[at] === '{'
  if (edits.length === 0 || (!isObject && text[at] !== '[')) return endOfValue(text, at)
  const close = isObject ? '}' : ']'
  const members: Member[] = []
  let cursor = afterSpace(text, at + 1)
  for (let index = 0; text[cursor] !== close; index++) {
    const start = cursor
    const { name, valueAt } = isObject ? keyAt(text, cursor) : { name: `${index}`, valueAt: cursor }
    const own = edits.filter(({ path }) => path[0] === name)
    const whole = own.find(({ path }) => path.length === 1)
    let end: number
    if (whole === undefined) {
      const inner = own.map(({ path, value }) => ({ path: path.slice(1), value }))
      end = collect(text, valueAt, inner, patches)
    } else {
      end = endOfValue(text, valueAt)
      if (whole.value !== undefined) patches.push({ start: valueAt, end, value: whole.value })
    }
    members.push({ start, end, isDropped: whole !== undefined && whole.value === undefined })
    cursor = afterSpace(text, end)
    if (text[cursor] === ',') cursor = afterSpace(text, cursor + 1)
    else if (text[cursor] !== close) throw broken(cursor)
  }
  patches.push(...drops(members))
  patches.sort((one, other) => one.start - other.start)
  return cursor + 1
}

/** A dropped member takes the comma behind it along, or the one before it when none is kept behind it. */
function drops(members: readonly Member[]): Patch[] {
  const patches: Patch[] = []
  const lastKept = members.findLastIndex(({ isDropped }) => !isDropped)
  members.forEach(({ start, isDropped }, index) => {
    const next = members[index + 1]
    if (isDropped && index < lastKept && next) patches.push({ start, end: next.start, value: '' })
  })
  const last = members.at(-1)
  if (last?.isDropped === true) {
    const start = members[lastKept]?.end ?? members[0]?.start ?? last.start
    patches.push({ start, end: last.end, value: '' })
  }
  return patches
}

function keyAt(text: string, at: number): { name: string; valueAt: number } {
  if (text[at] !== '"') throw broken(at)
  const end = endOfString(text, at)
  const colon = afterSpace(text, end)
  if (text[colon] !== ':') throw broken(colon)
  return { name: String(JSON.parse(text.slice(at, end))), valueAt: afterSpace(text, colon + 1) }
}

function endOfValue(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return endOfString(text, at)
  if (first !== '{' && first !== '[') return endOfWord(text, at)
  let depth = 0
  for (let cursor = at; cursor < text.length; cursor++) {
    const char = text[cursor]
    if (char === '"') cursor = endOfString(text, cursor) - 1
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth === 0) return cursor + 1
  }
  throw broken(text.length)
}

/** Numbers, true, false, null. */
function endOfWord(text: string, at: number): number {
  const end = /[^\w+.-]/g
  end.lastIndex = at
  const stop = end.exec(text)?.index ?? text.length
  if (stop === at) throw broken(at)
  return stop
}

function endOfString(text: string, at: number): number {
  for (
    let cursor = text.indexOf('"', at + 1);
    cursor !== -1;
    cursor = text.indexOf('"', cursor + 1)
  ) {
    let slashes = 0
    while (text[cursor - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return cursor + 1
  }
  throw broken(text.length)
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}

const broken = (at: number): SyntaxError => new SyntaxError(`not JSON at character ${at}`)
