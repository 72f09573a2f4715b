/** Numbers and times as people read them. */
const UNITS = [
  [60, 'min'],
  [3600, 'h'],
  [86_400, 'd'],
] as const

export function ago(iso: string, now: number): string {
  const seconds = Math.round((now - Date.parse(iso)) / 1000)
  if (!Number.isFinite(seconds)) return ''
  if (seconds < 60) return 'now'
  if (seconds >= 30 * 86_400) return iso.slice(0, 10)
  const [size, name] = UNITS.findLast(([least]) => seconds >= least) ?? UNITS[0]
  return `${Math.floor(seconds / size)} ${name}`
}

export function amount(count: number): string {
  if (count >= 1e9) return `${short(count / 1e9)}B`
  if (count >= 1e6) return `${short(count / 1e6)}M`
  return count >= 1000 ? `${short(count / 1000)}k` : String(Math.round(count))
}

export function bytes(count: number): string {
  if (count >= 2 ** 30) return `${short(count / 2 ** 30)} GB`
  if (count >= 2 ** 20) return `${short(count / 2 ** 20)} MB`
  return count >= 1024 ? `${short(count / 1024)} kB` : `${count} B`
}

const short = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Math.round(value * 10) / 10)

/** Cents matter to people; parts of them only where there is nothing else. */
export const money = (dollars: number): string =>
  dollars > 0 && dollars < 0.01 ? '< $0.01' : `$${dollars.toFixed(2)}`

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

export const duration = (from: string, to: string): string => {
  const ms = Date.parse(to) - Date.parse(from)
  if (!Number.isFinite(ms) || ms < 0) return ''
  if (ms < 1000) return `${ms} ms`
  return ms < 60_000 ? `${short(ms / 1000)} s` : `${Math.floor(ms / 60_000)} min`
}

/** The last part of a path says most. */
export const baseName = (path: string): string => path.split(/[/\\]/).findLast(Boolean) ?? path

/** Direction marks and other invisible characters can make a text look like another one: they are shown. */
export const visible = (text: string): string =>
  text.replace(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (letter) => `\u27e8${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}\u27e9`,
  )

/** What a terminal was told about colours means nothing here. */
export const withoutAnsi = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, '')
