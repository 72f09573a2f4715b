/**
 * The environment of programs that a session starts. Commands, hooks, tool servers and extensions have every variable but
 * those that look secret; wrapped agents have what they sign in with, too. What was named as secret has none of them.
 */
import { looksSecret, namedSecrets } from './redact/known.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Names and patterns that may be given although they look secret, with commas; the configuration says them. */
const PASS = 'REPRISE_ENV_PASS'
const OWN: ReadonlySet<string> = new Set([PASS, namedSecrets.variable])

/** Of this process from now on. */
export function passVariables(env: NodeJS.ProcessEnv, names: readonly string[]): void {
  if (names.length === 0) delete env[PASS]
  else env[PASS] = names.join(',')
}

/** For a command, a hook, a tool server, an extension. */
export function childEnvironment(env: Environment = process.env): Record<string, string> {
  const withheld = new Set(withheldVariables(env))
  return without(env, (name) => withheld.has(name))
}

/** For an agent of another maker: it signs in by what it finds there. */
export function agentEnvironment(env: Environment = process.env): Record<string, string> {
  const named = new Set(namedSecrets.in(env))
  return without(env, (name) => named.has(name))
}

/** Those that are there and not given to a command. */
export function withheldVariables(env: Environment = process.env): readonly string[] {
  const named = new Set(namedSecrets.in(env))
  const passes = patternsIn(env[PASS])
  return Object.keys(env).filter(
    (name) =>
      env[name] !== undefined &&
      (named.has(name) || (looksSecret(name, env[name]) && !passes.some((each) => each(name)))),
  )
}

function without(env: Environment, isLeftOut: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || OWN.has(name) || isLeftOut(name) ? [] : [[name, value]],
    ),
  )
}

/** `AWS_*` stands for all that begin so. */
const patternsIn = (text = ''): readonly ((name: string) => boolean)[] =>
  text.split(',').flatMap((part) => {
    const pattern = part.trim()
    if (pattern === '') return []
    const parts = pattern.split('*').map((each) => each.replace(/\W/g, '\\$&'))
    const whole = new RegExp(`^${parts.join('.*')}$`)
    return [(name: string) => whole.test(name)]
  })
