/**
 * Takes values out of the strings of a JSON text, however they are escaped there, and leaves every other byte where it
 * was: what comes out is as long, parses as well, and has the same keys and ids. Pure.
 */
import { markOf, type Cleaned, type Forgetter } from './forget-text.ts'

/** Values of these names are what programs find things by. */
const NAMES =
  /^(?:id|type|kind|role|status|mode|timestamp|sha256|version|toolName|model|.*Ids?|.*At)$/
/** What such a value looks like; a sentence is never one. */
const NAME_LIKE = /^[\w.:/+-]{1,100}$/
/** What a key of a format looks like; other keys are a person's words. */
const KEY_LIKE = /^[A-Za-z_]{1,40}$/

export function forgetInJson(json: string, forgetter: Forgetter): Cleaned<string> | undefined {
  const open: { isObject: boolean; key: string }[] = []
  let [result, done, count] = ['', 0, 0]
  for (const { token, index, isCut } of tokensOf(json)) {
    const inside = open.at(-1)
    if (token === '{' || token === '[')
      open.push({ isObject: token === '{', key: inside?.key ?? '' })
    else if (token === '}' || token === ']') open.pop()
    else {
      const end = index + token.length
      const isKey = inside?.isObject === true && token[0] === '"' && isFollowedByColon(json, end)
      const cleaned = isKey ? inKey(token, forgetter) : inValue(token, inside?.key ?? '', forgetter)
      if (isKey && inside !== undefined) inside.key = token.slice(1, -1)
      if (cleaned === undefined) continue
      result += json.slice(done, index) + (isCut ? cleaned.cleaned.slice(0, -1) : cleaned.cleaned)
      done = end
      count += cleaned.count
    }
  }
  return count === 0 ? undefined : { cleaned: result + json.slice(done), count }
}

type Token = { readonly token: string; readonly index: number; readonly isCut?: true }

/** Strings, numbers and brackets. By hand: a regular expression gives up on a string of many megabytes. */
function* tokensOf(json: string): Generator<Token> {
  const next = /["{}[\]]|-?\d[\d.eE+-]*/g
  for (let match = next.exec(json); match !== null; match = next.exec(json)) {
    const { 0: found, index } = match
    if (found !== '"') yield { token: found, index }
    else {
      const end = endOfString(json, index + 1)
      // What was cut off is read as if it had its end, which is then not written.
      yield end === undefined
        ? { token: `${json.slice(index)}"`, index, isCut: true }
        : { token: json.slice(index, end), index }
      next.lastIndex = end ?? json.length
    }
  }
}

/** Behind its closing quote; undefined when it was cut off before. */
function endOfString(json: string, from: number): number | undefined {
  for (let at = json.indexOf('"', from); at !== -1; at = json.indexOf('"', at + 1)) {
    let slashes = 0
    while (json[at - 1 - slashes] === '\\' && at - 1 - slashes >= from) slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return undefined
}

const isFollowedByColon = (json: string, at: number): boolean =>
  /^\s*:/.test(json.slice(at, at + 20))

const inKey = (token: string, forgetter: Forgetter) =>
  KEY_LIKE.test(token.slice(1, -1)) ? undefined : inString(token, forgetter)

function inValue(token: string, key: string, forgetter: Forgetter): Cleaned<string> | undefined {
  if (token[0] !== '"') return inNumber(token, forgetter)
  const text = token.slice(1, -1)
  return NAMES.test(key) && NAME_LIKE.test(text) ? undefined : inString(token, forgetter)
}

/** A number stays one. */
function inNumber(token: string, forgetter: Forgetter): Cleaned<string> | undefined {
  const found = forgetter.text(token)
  return found && { cleaned: token.replace(/\d/g, '1'), count: found.count }
}

function inString(token: string, forgetter: Forgetter): Cleaned<string> | undefined {
  const raw = token.slice(1, -1)
  if (!raw.includes('\\')) {
    const found = forgetter.text(raw)
    return found && { cleaned: `"${found.cleaned}"`, count: found.count }
  }
  const { text, places } = decoded(raw)
  const found = forgetter.ranges(text)
  if (found.length === 0) return undefined
  let [result, done] = ['', 0]
  for (const { start, end } of found) {
    if ((places[start] ?? 0) < done) continue
    const [from, to] = [places[start] ?? raw.length, places[end] ?? raw.length]
    result += raw.slice(done, from) + markOf(Buffer.byteLength(raw.slice(from, to)))
    done = to
  }
  return { cleaned: `"${result}${raw.slice(done)}"`, count: found.length }
}

/** The text of a string, and where in the raw string each of its units begins. */
function decoded(raw: string): { readonly text: string; readonly places: readonly number[] } {
  const places: number[] = []
  let text = ''
  for (const { 0: unit, index } of raw.matchAll(/\\u[0-9a-fA-F]{4}|\\.|[^\\]/gs)) {
    places.push(index)
    text += unit.length === 1 ? unit : unescaped(unit)
  }
  return { text, places }
}

function unescaped(unit: string): string {
  try {
    return String(JSON.parse(`"${unit}"`))
  } catch {
    // No escape of JSON: it is taken for what it shows.
    return unit.slice(1, 2)
  }
}
