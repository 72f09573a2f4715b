/** How many columns a safe text takes in a terminal, and how to cut it to fewer. */

export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const sign of text) width += signWidth(sign)
  return width
}

/** Cut to the width, with an ellipsis where something is missing. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const sign of text) {
    used += signWidth(sign)
    if (used > width - 1) break
    kept += sign
  }
  return `${kept.trimEnd()}…`
}

function signWidth(sign: string): number {
  if (/[\p{M}\p{Cf}]/u.test(sign)) return 0
  return WIDE.test(sign) ? 2 : 1
}

// East Asian wide and full-width blocks, and what is drawn as an emoji by default.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u
