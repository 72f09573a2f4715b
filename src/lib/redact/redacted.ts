/** What redacting a text gives. */
export type FoundSecrets = { readonly kind: string; readonly count: number }

export type Redacted = {
  readonly text: string
  readonly found: readonly FoundSecrets[]
  /** The budget was used up: all is redacted, some of it by its beginning alone. */
  readonly partial: boolean
}
