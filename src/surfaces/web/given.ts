/** A key that is there without a value is not there. */
export type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

export const given = <T extends object>(value: T): Given<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Given<T>
