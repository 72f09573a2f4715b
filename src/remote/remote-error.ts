/** Why Mission Control could not be asked, or what it refused. Nothing of it ever reaches a turn. */

export type RemoteTrouble =
  /** Nobody answered, or the server cannot just now. It is tried again. */
  | 'unreachable'
  /** The token is not known there any more, or may not do this. */
  | 'unauthorised'
  /** Another machine exports this session now. */
  | 'overtaken'
  /** The copy was deleted there. */
  | 'gone'
  /** What was sent can never be taken. */
  | 'refused'

export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly trouble: RemoteTrouble
  /** Of HTTP, where the server answered. */
  readonly status: number | undefined
  constructor(
    trouble: RemoteTrouble,
    message: string,
    { status, ...options }: ErrorOptions & { readonly status?: number } = {},
  ) {
    super(message, options)
    this.trouble = trouble
    this.status = status
  }
}

/** Whether the same may succeed later without anybody doing anything about it. */
export const isPassing = (cause: unknown): boolean =>
  cause instanceof RemoteError && cause.trouble === 'unreachable'
