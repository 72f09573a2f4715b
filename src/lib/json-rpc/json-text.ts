/** A result that is JSON already, in UTF-8 and in parts: it is passed on as it stands. */
export class JsonText {
  readonly parts: readonly Uint8Array[]
  constructor(parts: readonly (string | Uint8Array)[]) {
    this.parts = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  }
}
