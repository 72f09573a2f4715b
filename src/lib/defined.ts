/** An object without the keys whose value is undefined: what is optional is absent, never present and empty. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

export function defined<T extends object>(value: T): Defined<T> {
  const kept: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(value)) if (each !== undefined) kept[key] = each
  return kept as Defined<T>
}
