/** Money, durations and texts as people read them. */
import { short } from '../../../../lib/quantities.ts'
import { markOf, showUnseen } from '../../../../lib/visible-unicode.ts'

/** Cents matter to people; parts of them only where there is nothing else. */
export const money = (dollars: number): string =>
  dollars > 0 && dollars < 0.01 ? '< $0.01' : `$${dollars.toFixed(2)}`

export const duration = (from: string, to: string): string => {
  const ms = Date.parse(to) - Date.parse(from)
  if (!Number.isFinite(ms) || ms < 0) return ''
  if (ms < 1000) return `${ms} ms`
  return ms < 60_000 ? `${short(ms / 1000)} s` : `${Math.floor(ms / 60_000)} min`
}

/** The last part of a path says most. */
export const baseName = (path: string): string => path.split(/[/\\]/).findLast(Boolean) ?? path

/** Controls, direction marks and other invisible signs can make a text look like another one: they are shown. */
export const visible = (text: string): string =>
  showUnseen(text).replace(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    markOf,
  )

/** What a terminal was told about colours means nothing here. */
export const withoutAnsi = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, '')
