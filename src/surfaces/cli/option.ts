/**
 * An option as the table has it: its notation, what it is about, and how its value is read. Help, parser, completion,
 * reference and the types of what is parsed all come from this one line.
 */

/**
 * `-p, --prompt <text>` takes a value, `--resume [session]` may take one, `--name <host>...` may be given again,
 * `--allow-tool [tools...]` takes all words up to the next option, `--json` takes none.
 */
export type Option = readonly [flags: string, about: string, how?: How]

type How = {
  /** Stands for another option: its value is kept under that one's name. */
  readonly as?: string
  /** What an option without a value means, when that is not just "yes". */
  readonly is?: string
  /** What a value has to be, for the sentence that refuses it. */
  readonly wants?: string
  /** Why a start with it is refused. */
  readonly refusal?: string
  /** Undefined when the text is none. */
  readonly read?: (text: string) => unknown
}

type Reader<T> = { readonly wants: string; readonly read: (text: string) => T | undefined }

/** Options under a heading of their own. */
export type Section = {
  readonly heading: string
  readonly options: readonly Option[]
  /** They are taken and change nothing; a warning names those that were given. */
  readonly isUnused?: true
}

type Takes = 'nothing' | 'value' | 'perhaps a value' | 'words'

export type Spec = {
  readonly flags: readonly string[]
  /** Under which its value is kept: `--log-level` is `logLevel`. */
  readonly name: string
  readonly takes: Takes
  readonly isRepeated: boolean
  /** As help shows it, for sentences: `--model <model>`. */
  readonly notation: string
  readonly how: How
}

export function specOf([flags, , how = {}]: Option): Spec {
  const [, names = '', value = '', dots = ''] =
    /^([^<[]*?)\s*(<[^>]+>|\[[^\]]+\])?(\.\.\.)?$/.exec(flags) ?? []
  const all = names.split(', ')
  const longest = all.find((name) => name.startsWith('--')) ?? all[0] ?? ''
  return {
    flags: all,
    name: how.as ?? camelCase(longest.replace(/^-+/, '')),
    takes: takesOf(value),
    isRepeated: dots !== '' || value.endsWith('...]'),
    notation: [longest, value].join(' ').trim(),
    how,
  }
}

function takesOf(value: string): Takes {
  if (value === '') return 'nothing'
  if (value.endsWith('...]')) return 'words'
  return value.startsWith('<') ? 'value' : 'perhaps a value'
}

const camelCase = (name: string) => name.replace(/-(.)/g, (_, sign: string) => sign.toUpperCase())

/** By each of their flags. */
export const specsOf = (options: readonly Option[]): ReadonlyMap<string, Spec> =>
  new Map(options.map(specOf).flatMap((spec) => spec.flags.map((flag) => [flag, spec] as const)))

type Flag = {
  readonly flag: string
  readonly attached?: string
  /** The next word of the line: what was written together with this flag. */
  readonly more?: string
}

/** `--name=value`, `-nvalue`, `-sp` for `-s -p`, or just the name. */
export function flagIn(word: string, specs: ReadonlyMap<string, Spec>): Flag {
  if (word.startsWith('--')) {
    const [flag = '', attached] = word.split(/=(.*)/s, 2)
    return attached === undefined ? { flag } : { flag, attached }
  }
  const [flag, rest] = [word.slice(0, 2), word.slice(2)]
  const takes = specs.get(flag)?.takes
  // With one dash for two: `-prompt` is no `-p rompt`.
  const isWhole = rest === '' || specs.has(`-${word}`)
  if (isWhole || takes === undefined) return { flag: word }
  if (takes !== 'nothing') return { flag, attached: rest }
  return specs.has(`-${rest.charAt(0)}`) ? { flag, more: `-${rest}` } : { flag: word }
}

export const wholeFrom = (least: number, most: number): Reader<number> => ({
  wants: `a whole number from ${least} to ${most}`,
  read(text) {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : -1
    return number >= least && number <= most ? number : undefined
  },
})

export const oneOf = <const T extends string>(...words: readonly T[]): Reader<T> => ({
  wants: `one of ${words.join(', ')}`,
  read: (text) => words.find((word) => word === text),
})

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S
type Named<S extends string> = S extends `${infer N} ${string}` ? Camel<N> : Camel<S>
type NameOf<O> = O extends readonly [string, string, { readonly as: infer N extends string }]
  ? N
  : O extends readonly [`${string}--${infer Rest}`, ...unknown[]]
    ? Named<Rest>
    : never
type Single<O> = O extends readonly [string, string, { readonly read: (text: string) => infer T }]
  ? Exclude<T, undefined>
  : string
type ValueOf<O> = O extends readonly [infer F, ...unknown[]]
  ? F extends `${string}...` | `${string}...]`
    ? readonly Single<O>[]
    : F extends `${string}>`
      ? Single<O>
      : F extends `${string}]`
        ? Single<O> | true
        : O extends readonly [string, string, { readonly is: infer T }]
          ? T
          : true
  : never

/** What the parser makes of these options. */
export type OptionsOf<T extends readonly Option[]> = {
  readonly [O in T[number] as NameOf<O>]?: ValueOf<O>
}
