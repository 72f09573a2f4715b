/**
 * Where a text stands in the pieces that it was drawn as. It was written with marks of Markdown and breaks of lines that
 * are not drawn, so its letters and digits alone are compared.
 */
type Place = { readonly node: number; readonly offset: number }

const MEANT = /[\p{L}\p{N}]/u

export function placeOfText(
  pieces: readonly string[],
  text: string,
): { readonly start: Place; readonly end: Place } | undefined {
  const isPlain = ![...text].some((sign) => MEANT.test(sign))
  const isKept = (sign: string) => (isPlain ? !/\s/.test(sign) : MEANT.test(sign))
  const wanted = [...text].filter(isKept).join('').toLowerCase()
  if (wanted === '') return undefined
  const places: Place[] = []
  let all = ''
  pieces.forEach((piece, node) => {
    let offset = 0
    for (const sign of piece) {
      // A sign may be two when it is small.
      const small = isKept(sign) ? sign.toLowerCase() : ''
      all += small
      for (let at = 0; at < small.length; at++) places.push({ node, offset })
      offset += sign.length
    }
  })
  const at = all.indexOf(wanted)
  const start = places[at]
  const last = places[at + wanted.length - 1]
  if (at === -1 || start === undefined || last === undefined) return undefined
  const sign = String.fromCodePoint(pieces[last.node]?.codePointAt(last.offset) ?? 0)
  return { start, end: { node: last.node, offset: last.offset + sign.length } }
}
