/** Horizontal bars in a code block: no colour, no escape, one line each. */

type Bar = { readonly name: string; readonly size: number; readonly label: string }

const WIDTH = 30

export function bars(shown: readonly Bar[]): string {
  const names = Math.max(0, ...shown.map(({ name }) => name.length))
  const longest = Math.max(1, ...shown.map(({ size }) => size))
  const lines = shown.map(({ name, size, label }) => {
    // What is there at all can be seen.
    const columns = size === 0 ? 0 : Math.max(1, Math.round((size / longest) * WIDTH))
    return `${name.padEnd(names)}  ${'█'.repeat(columns).padEnd(WIDTH)}  ${label}`
  })
  return ['```text', ...lines, '```'].join('\n')
}
