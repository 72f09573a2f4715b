/** The body of a request, whole, and no more of it than is allowed: what is too long is not read to its end. */
import { ControlError } from '../control-error.ts'

export async function readBody(request: Request, most: number): Promise<Buffer> {
  const tooLarge = () =>
    new ControlError('too_large', `A request here has at most ${most} bytes. Nothing was changed.`)
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge()
  if (request.body === null) return Buffer.alloc(0)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > most) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}
