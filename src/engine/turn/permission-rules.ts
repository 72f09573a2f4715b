/**
 * Rules of the user's own configuration, as a policy: `shell(git status*)`, `write(src/**)`, `read(**)`,
 * `mcp(server/tool)`, or a kind alone. A denial wins over an allowance; what no rule speaks of is left to a person.
 */
import { compileGlob } from '../../lib/match-glob.ts'
import { EngineError } from '../errors.ts'
import type { PermissionPolicy, PermissionRequest } from '../agent.ts'
import { leadsOutside } from './outside.ts'

type PermissionRules = {
  readonly allow?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
  /** Every tool is allowed; where it may lead is said here. Addresses have rules of their own. */
  readonly allTools?: { readonly folders: readonly string[] | 'any' } | undefined
}

type Rule = { readonly kind: string; readonly matches?: (subject: string) => boolean }

export function rulesPolicy(rules: PermissionRules, otherwise: PermissionPolicy): PermissionPolicy {
  const deny = (rules.deny ?? []).map(parseRule)
  const allow = (rules.allow ?? []).map(parseRule)
  return (request, session) => {
    const speaksOf = (rule: Rule) => fits(rule, request, session.cwd)
    if (deny.some(speaksOf)) return { kind: 'deny', by: 'policy' }
    if (session.mode === 'plan' && CHANGING.has(request.kind)) {
      return {
        kind: 'deny',
        by: 'policy',
        feedback: 'The session is in plan mode: nothing is changed in it.',
      }
    }
    if (allow.some(speaksOf) || isAllowedTool(request, session))
      return { kind: 'allow', by: 'policy' }
    return otherwise(request, session)
  }

  function isAllowedTool(request: PermissionRequest, { cwd, workspacePath }: Asking): boolean {
    if (rules.allTools === undefined || request.kind === 'url') return false
    const { folders } = rules.allTools
    if (folders === 'any') return true
    return !leadsOutside(request, { cwd, folders: [cwd, workspacePath, ...folders] })
  }
}

type Asking = Parameters<PermissionPolicy>[1]

const CHANGING: ReadonlySet<string> = new Set(['shell', 'write', 'mcp', 'custom-tool'])

export function parseRule(text: string): Rule {
  const [, kind, pattern] = /^([a-z-]+)(?:\((.*)\))?$/s.exec(text.trim()) ?? []
  if (kind === undefined) {
    throw new EngineError(
      'invalid',
      `"${text}" is not a permission rule. Write for example shell(git status*) or write(src/**).`,
    )
  }
  if (pattern === undefined) return { kind }
  const matches = compileGlob(kind === 'shell' ? asOneName(pattern) : pattern)
  if (matches === undefined)
    throw new EngineError('invalid', `The pattern of "${text}" stands for too many things.`)
  return { kind, matches }
}

/** In a command a slash is a character like any other: `*` goes beyond it. */
const asOneName = (text: string) => text.replaceAll('/', '\u2215')

function fits({ kind, matches }: Rule, request: PermissionRequest, cwd: string): boolean {
  if (kind !== '*' && kind !== request.kind) return false
  return matches === undefined || subjects(request, cwd).some(matches)
}

/** What a pattern is compared with. A command is one text: a rule for `git *` must not allow `git x; rm y`. */
function subjects(request: PermissionRequest, cwd: string): string[] {
  const fields = request as Readonly<Record<string, unknown>>
  if (request.kind === 'shell') {
    const command = String(fields['fullCommandText'] ?? '')
    return JOINED.test(command) ? [] : [asOneName(command)]
  }
  const path = fields['fileName'] ?? fields['path']
  if (typeof path === 'string') {
    return [path, ...(path.startsWith(`${cwd}/`) ? [path.slice(cwd.length + 1)] : [])]
  }
  if (request.kind === 'mcp')
    return [`${String(fields['serverName'])}/${String(fields['toolName'])}`]
  return ['url', 'toolName'].flatMap((name) =>
    typeof fields[name] === 'string' ? [fields[name]] : [],
  )
}

/** Anything by which one command line becomes several, or writes elsewhere. */
const JOINED = /[;&|<>`\n\r]|\$\(/
