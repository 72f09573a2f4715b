/** What opens the web server of a home: the token of its owner, and the key that links of guests are sealed with. */
import { randomBytes } from 'node:crypto'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import { inHome } from '../../format/paths.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import type { GuestKey } from './guest.ts'

type HomeFs = Engine['fs']

const TOKEN = inHome('webToken')

/** One for a home, 0600 as all its files, made when it is first needed. */
export async function tokenOf(fs: HomeFs): Promise<string> {
  const stored = await readToken(fs)
  if (stored !== undefined) return stored
  const fresh = randomBytes(32).toString('base64url')
  if (await fs.createExclusive(TOKEN, encodeText(`${fresh}\n`))) return fresh
  const other = await readToken(fs)
  if (other !== undefined) return other
  throw new EngineError(
    'corrupt',
    `${fs.nativePath(TOKEN)} holds no token. Remove it, and a new one is made. Nothing was started.`,
  )
}

async function readToken(fs: HomeFs): Promise<string | undefined> {
  const bytes = await fs.read(TOKEN)
  const text = bytes === undefined ? '' : decodeText(bytes).trim()
  return /^[\w-]{43,}$/.test(text) ? text : undefined
}

const GUEST_KEY = inHome('guestKey')
const GUEST_KEY_BYTES = 32

const freshKey = () => new Uint8Array(randomBytes(GUEST_KEY_BYTES))

/** One for a home, 0600 too, made with its first link. */
export function guestKeyOf(fs: HomeFs): GuestKey {
  const read = async () => {
    const bytes = await fs.read(GUEST_KEY)
    return bytes?.length === GUEST_KEY_BYTES ? bytes : undefined
  }
  return {
    read,
    async make() {
      const stored = await read()
      if (stored !== undefined) return stored
      const fresh = freshKey()
      if (await fs.createExclusive(GUEST_KEY, fresh)) return fresh
      const other = await read()
      if (other !== undefined) return other
      throw new EngineError(
        'corrupt',
        `${fs.nativePath(GUEST_KEY)} holds no key. "reprise web --end-guests" makes a new one. No link was made.`,
      )
    },
  }
}

/** Whatever was sealed with the key before opens nothing any more. */
export const endGuests = (fs: HomeFs): Promise<void> =>
  fs.writeAtomic(GUEST_KEY, freshKey(), { durable: true })
