/** What is asked behind the `?` of an address; what is undefined is not asked. */
export const params = (
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString()
