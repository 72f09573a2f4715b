/**
 * Headers that a client wants on the calls of one turn. They are kept until that turn is over and are never stored:
 * they may hold a key.
 */
export type RequestHeaders = Readonly<Record<string, string>>

export interface TurnHeaders {
  /** For the turn that answers this message; forgotten when this is disposed. */
  keep(messageId: string, headers: RequestHeaders): Disposable
  of(turn: {
    readonly turnId: string
    readonly message: { readonly messageId?: string | undefined }
  }): RequestHeaders | undefined
}

export function createTurnHeaders(): TurnHeaders {
  const byMessage = new Map<string, RequestHeaders>()
  let current: { readonly turnId: string; readonly headers: RequestHeaders } | undefined
  return {
    keep(messageId, headers) {
      byMessage.set(messageId, headers)
      return {
        [Symbol.dispose]() {
          byMessage.delete(messageId)
          if (current?.headers === headers) current = undefined
        },
      }
    },
    of({ turnId, message: { messageId = '' } }) {
      const headers = byMessage.get(messageId)
      if (headers !== undefined) current = { turnId, headers }
      // A turn that goes on by itself does so with a message that nobody sent.
      return current?.turnId === turnId ? current.headers : undefined
    },
  }
}
