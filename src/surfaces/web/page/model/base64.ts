/** Bytes as base64, in portions: a call takes only so many arguments. */
export function toBase64(content: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < content.length; at += 0x8000)
    parts.push(String.fromCharCode(...content.subarray(at, at + 0x8000)))
  return btoa(parts.join(''))
}
