/** The media type of a picture that models take, by the first bytes of its file. Undefined for everything else. */
export function pictureKind(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 12)).toString(
    'latin1',
  )
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  return /^RIFF.{4}WEBP/s.test(text) ? 'image/webp' : undefined
}
