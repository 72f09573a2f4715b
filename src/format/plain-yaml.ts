/**
 * The part of YAML that a flat `key: value` file needs, line by line, read fast and written safely. What
 * is written here means the same to YAML 1.1 and 1.2; what is not surely of this part is not read.
 */

export type PlainValue = string | number | boolean | null

/** Undefined when the line is anything but a key and a scalar that ends on it. */
export function parseLine(line: string): [key: string, value: PlainValue] | undefined {
  const [, key, rest = ''] = LINE.exec(line) ?? []
  const value = parseScalar(rest)
  return key === undefined || value === undefined ? undefined : [key, value]
}

/** One `key: value` line for any JSON-like value. Lone surrogates become U+FFFD. */
export function printLine(key: string, value: unknown): string {
  const name = KEY.test(key) ? key : quoted(key)
  return `${name}: ${typeof value === 'string' ? printText(value) : flow(value)}\n`
}

const KEY = /^[A-Za-z_][\w-]*$/
const LINE = /^([A-Za-z_][\w-]*):(?: +(.*))?$/

// Everything that a reader may refuse, fold or take for a line break when it stands bare.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/
const INDICATOR_FIRST = /^[-?:,[\]{}#&*!|>'"%@`]/
const INDICATOR_INSIDE = /: | #|:$/

function parseScalar(source: string): PlainValue | undefined {
  const scalar = source.trimEnd()
  if (UNPRINTABLE.test(scalar)) return undefined
  if (scalar.startsWith('"')) return JSON_STRING.test(scalar) ? JSON.parse(scalar) : undefined
  if (scalar.startsWith("'")) {
    return SINGLE_QUOTED.test(scalar) ? scalar.slice(1, -1).replaceAll("''", "'") : undefined
  }
  if (WORD_FIRST.test(scalar)) return INDICATOR_INSIDE.test(scalar) ? undefined : scalar
  if (NULL.test(scalar)) return null
  if (TRUE.test(scalar)) return true
  if (FALSE.test(scalar)) return false
  if (DECIMAL.test(scalar)) return Number(scalar)
  if (OTHER_NUMBER.test(scalar)) return undefined
  if (INDICATOR_FIRST.test(scalar) || INDICATOR_INSIDE.test(scalar)) return undefined
  return scalar
}

// Only the escapes that JSON and YAML share.
const JSON_STRING = /^"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"$/
const SINGLE_QUOTED = /^'(?:[^']|'')*'$/
/** Begins like no null, no boolean and no number: most values are paths, names and branches. */
const WORD_FIRST = /^[/A-EG-MO-SU-Za-eg-mo-su-z]/
const NULL = /^(?:null|Null|NULL|~)?$/
const TRUE = /^(?:true|True|TRUE)$/
const FALSE = /^(?:false|False|FALSE)$/
const DECIMAL = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const OTHER_NUMBER = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/

/** A bare word to a YAML 1.2 reader that is null, true, a number or a day to some other reader. */
const MISREAD =
  /^(?:~|<<|=|null|true|false|yes|no|on|off|y|n|[-+]?\.(?:inf|nan)|[-+]?0[xob][\da-f_]+|[-+]?[\d._:]+(?:e[-+]?\d+)?|\d{4}-\d\d?-\d\d?)$/i

function printText(text: string): string {
  const bare =
    text !== '' &&
    text === text.trim() &&
    text.isWellFormed() &&
    !UNPRINTABLE.test(text) &&
    !INDICATOR_FIRST.test(text) &&
    !INDICATOR_INSIDE.test(text) &&
    !MISREAD.test(text)
  return bare ? text : quoted(text)
}

function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** YAML's flow style, which is JSON but for the numbers that JSON lacks. */
function flow(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return printNumber(value)
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Date) return quoted(value.toISOString())
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value !== 'object' || value === null) return 'null'
  const pairs = Object.entries(value).map(([key, inner]) => `${quoted(key)}: ${flow(inner)}`)
  return `{${pairs.join(', ')}}`
}

function printNumber(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value)
  return value > 0 ? '.inf' : '-.inf'
}
