/**
 * Headers that a client wants on the calls of one turn. They are kept until that turn is over and are never stored:
 * they may hold a key. To a provider that another client brought they do not go.
 */
export type RequestHeaders = Readonly<Record<string, string>>

type Kept = { readonly headers: RequestHeaders; readonly from: symbol }

export interface TurnHeaders {
  /** For the turn that answers this message; forgotten when this is disposed. */
  keep(messageId: string, headers: RequestHeaders, from: symbol): Disposable
  of(
    turn: {
      readonly turnId: string
      readonly message: { readonly messageId?: string | undefined }
    },
    provider: { readonly by?: symbol | undefined },
  ): RequestHeaders | undefined
}

export function createTurnHeaders(): TurnHeaders {
  const byMessage = new Map<string, Kept>()
  let current: { readonly turnId: string; readonly kept: Kept } | undefined
  return {
    keep(messageId, headers, from) {
      const kept = { headers, from }
      byMessage.set(messageId, kept)
      return {
        [Symbol.dispose]() {
          byMessage.delete(messageId)
          if (current?.kept === kept) current = undefined
        },
      }
    },
    of({ turnId, message: { messageId = '' } }, { by }) {
      const kept = byMessage.get(messageId)
      if (kept !== undefined) current = { turnId, kept }
      // A turn that goes on by itself does so with a message that nobody sent.
      if (current?.turnId !== turnId) return undefined
      return by === undefined || by === current.kept.from ? current.kept.headers : undefined
    },
  }
}
