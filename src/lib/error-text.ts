/** What a thrown value says, whatever was thrown. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
