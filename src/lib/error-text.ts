/** What a thrown value says, whatever was thrown. What the system says is told in words, without its codes. */
import { getSystemErrorMap } from 'node:util'

export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message } = error
  if (!('code' in error) || typeof error.code !== 'string' || !message.includes(error.code))
    return message
  // One that we made ourselves has the code before its words.
  const own = `${error.code}: `
  const words = 'errno' in error && getSystemErrorMap().get(Number(error.errno))?.[1]
  if (!words) return message.startsWith(own) ? message.slice(own.length) : message
  const { path, dest, address, port, hostname } = error as SystemError
  const where = path ?? hostname ?? (address && [address, port].filter(Boolean).join(':'))
  return [words, where && `: ${where}`, dest && ` -> ${dest}`].filter(Boolean).join('')
}

type SystemError = {
  readonly path?: string
  readonly dest?: string
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
}
