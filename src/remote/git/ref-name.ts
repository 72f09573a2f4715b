/** Names of branches and commits that come from elsewhere: what could be read as an option, a range or an expression is none. */
import { EngineError } from '../../engine/errors.ts'

/** Git's own rules, and no name that begins with a dash. */
export function checkBranch(name: string): string {
  const isOne =
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    !/^-|[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|^@$|\/\/|^\/|\/$|\.$/.test(name) &&
    name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
  if (isOne && name !== '') return name
  throw refused(name, 'the name of a branch')
}

/** By its hash: a name could mean another one tomorrow. */
export function checkCommit(name: string): string {
  if (/^[0-9a-f]{7,64}$/i.test(name)) return name
  throw refused(name, 'the hash of a commit')
}

const refused = (name: string, what: string): EngineError =>
  new EngineError(
    'invalid',
    `${JSON.stringify(name.slice(0, 200))} is not ${what}. Nothing was changed.`,
  )
