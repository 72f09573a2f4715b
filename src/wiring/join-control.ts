/** Joins a Mission Control by a token that is given, or by a code that a person says yes to there. */
import { userInfo } from 'node:os'
import { EngineError } from '../engine/errors.ts'
import { defined } from '../lib/defined.ts'
import { loginByCode, loginByLink, whoAmI } from '../remote/login.ts'
import { openServer } from '../remote/control-client.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { Joined, JoinOptions } from '../surfaces/cli/command.ts'

export async function joinControl(
  url: string,
  { machine, token: given, code, name, show, signal }: JoinOptions,
): Promise<Joined> {
  try {
    const byCode = () =>
      code === undefined
        ? loginByCode(url, machine, show, signal)
        : loginByLink(url, { code, machine, ...defined({ name, account: account() }) })
    const token = given ?? (await byCode())
    const me = await whoAmI(url, token)
    if (name === undefined || name === me.name) return { token, me }
    await openServer({ url, token }).rename(me.person, name)
    return { token, me: { ...me, name } }
  } catch (cause) {
    if (!(cause instanceof RemoteError)) throw cause
    const code = cause.trouble === 'unreachable' ? 'unreachable' : 'invalid'
    throw new EngineError(code, `${cause.message} Nothing was changed.`, { cause })
  }
}

/** Undefined for an account without a name, as in some containers. */
function account(): string | undefined {
  try {
    return userInfo().username
  } catch {
    // They are called as the server says.
    return undefined
  }
}
