/** Text to UTF-8 and back, with shared coders. A byte order mark is text like any other: nothing is dropped. */
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const encodeText = (text: string): Uint8Array => encoder.encode(text)

/** Bytes that are not UTF-8 become U+FFFD. */
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes)
