/**
 * The body of a request, whole, and no more of it than is allowed: what is too long is not read to its end, and one that
 * stands still is not waited for.
 */
import { ControlError } from '../control-error.ts'

/** So long may pass until more of it comes. How long all of it may take, the server says. */
const STILL_MS = 20_000

export async function readBody(
  request: Request,
  most: number,
  stillMs = STILL_MS,
): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most)
  if (request.body === null) return Buffer.alloc(0)
  const reader = request.body.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { value, done } = await within(reader.read(), stillMs)
    if (done) return Buffer.concat(parts, size)
    size += value.length
    if (size > most) throw tooLarge(most)
    parts.push(value)
  }
}

const tooLarge = (most: number) =>
  new ControlError('too_large', `A request here has at most ${most} bytes. Nothing was changed.`)

async function within<T>(more: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const words = `The rest of the request did not come within ${ms / 1000} s. Nothing was changed; send it again.`
    timer = setTimeout(() => reject(new ControlError('too_slow', words)), ms)
  })
  try {
    return await Promise.race([more, late])
  } finally {
    clearTimeout(timer)
  }
}
