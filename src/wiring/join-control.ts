/** Joins a Mission Control by a token that is given, or by a code that a person says yes to there. */
import { EngineError } from '../engine/errors.ts'
import { loginByCode, loginByLink, whoAmI } from '../remote/login.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { Joined, JoinOptions } from '../surfaces/cli/command.ts'

export async function joinControl(
  url: string,
  { machine, token: given, code, show, signal }: JoinOptions,
): Promise<Joined> {
  try {
    const byCode = () =>
      code === undefined ? loginByCode(url, machine, show, signal) : loginByLink(url, code, machine)
    const token = given ?? (await byCode())
    return { token, me: await whoAmI(url, token) }
  } catch (cause) {
    if (!(cause instanceof RemoteError)) throw cause
    const code = cause.trouble === 'unreachable' ? 'unreachable' : 'invalid'
    throw new EngineError(code, `${cause.message} Nothing was changed.`, { cause })
  }
}
