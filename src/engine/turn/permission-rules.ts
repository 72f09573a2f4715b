/**
 * Rules of the user's own configuration, as a policy. A denial wins over an allowance; an allowance holds only when
 * every part of a request is allowed; what no rule speaks of is left to a person.
 */
import { defined } from '../../lib/defined.ts'
import { isBelow } from '../../lib/is-below.ts'
import { realPath } from '../../lib/real-path.ts'
import type {
  PermissionDecision,
  PermissionPolicy,
  PermissionRequest,
  PermissionSituation,
} from '../agent.ts'
import { isInProject, type Subject, type Subjects } from '../permission/rule-words.ts'
import { denies } from '../permission/deny.ts'
import { allows, parseRule, type Rule } from '../permission/rule.ts'
import { laterName } from '../permission/runs-later.ts'
import { subjectsOf } from '../permission/subjects.ts'
import { leadsOutside } from './outside-workspace.ts'

export type PermissionRules = {
  readonly allow?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
  /** Every tool is allowed; where it may lead is said here. Addresses have rules of their own. */
  readonly allTools?: { readonly folders: readonly string[] | 'any' } | undefined
}

export function rulesPolicy(rules: PermissionRules, otherwise: PermissionPolicy): PermissionPolicy {
  const allow = (rules.allow ?? []).map(parseRule)
  const denied = denialBy(rules)
  return async (request, session) => {
    const subjects = session.subjects ?? (await subjectsOf(request, session.cwd))
    const denial = await denied(request, subjects)
    if (denial !== undefined && 'kind' in denial) return denial
    const mustAsk = session.mustAsk === true || denial !== undefined
    const doubt = denial?.doubt.text
    if (session.mode === 'plan' && CHANGING.has(request.kind) && session.endsPlan !== true)
      return PLANNED
    // A rule may let a program out of the sandbox, a mode may not.
    const isRuled = !mustAsk || (session.leavesSandbox === true && denial === undefined)
    const rule = isRuled ? await allowanceOf(allow, subjects) : undefined
    if (rule !== undefined) return { kind: 'allow', by: 'policy', because: { rule: rule.text } }
    if (!mustAsk && (await isAllowedTool(request, session, subjects)))
      return { kind: 'allow', by: 'policy', because: { mode: 'allow-all-tools' } }
    return otherwise(request, { ...session, subjects, mustAsk, ...defined({ doubt }) })
  }

  async function isAllowedTool(
    request: PermissionRequest,
    { cwd, workspacePath }: PermissionSituation,
    { all }: Subjects,
  ): Promise<boolean> {
    if (rules.allTools === undefined || request.kind === 'url') return false
    if (rules.allTools.folders === 'any') return true
    const folders = [cwd, workspacePath, ...rules.allTools.folders]
    if (leadsOutside(request, { cwd, folders })) return false
    const real = await Promise.all(folders.map(realPath))
    const isInside = (place: string) => real.some((folder) => isBelow(folder, place))
    return all.every(
      (subject) =>
        !('places' in subject) ||
        subject.places?.every(isInside) === true ||
        (subject.isMention && (subject.places === undefined || subject.isGuess === true)),
    )
  }
}

const PLANNED: PermissionDecision = {
  kind: 'deny',
  by: 'policy',
  because: { mode: 'plan' },
  feedback: 'The session is in plan mode: nothing is changed in it.',
}

const CHANGING: ReadonlySet<string> = new Set(['shell', 'write', 'mcp', 'custom-tool'])

/** It may be meant by a rule that denies: nothing but a person allows it. */
type Doubt = { readonly doubt: Rule }

export type Denial = (
  request: PermissionRequest,
  subjects: Subjects,
) => Promise<PermissionDecision | Doubt | undefined>

/** What the rules that deny say, and nothing else. */
export function denialBy(rules: PermissionRules): Denial {
  const deny = (rules.deny ?? []).map(parseRule)
  return async (request, subjects) => {
    let doubt: Rule | undefined
    for (const rule of deny) {
      const denial = await deniedBy(rule, request, subjects)
      if (denial === 'doubt') doubt ??= rule
      if (denial !== 'certain') continue
      const isUnsure = rule.pattern !== undefined && subjects.unknown !== undefined
      return {
        kind: 'deny',
        by: 'policy',
        because: { rule: rule.text },
        ...(isUnsure && {
          feedback: `${rule.text} denies what cannot be told apart from it: ${subjects.unknown}.`,
        }),
      }
    }
    return doubt && { doubt }
  }
}

async function deniedBy(
  rule: Rule,
  request: PermissionRequest,
  subjects: Subjects,
): Promise<'certain' | 'doubt' | undefined> {
  if (rule.kind === request.kind && rule.pattern === undefined) return 'certain'
  if (rule.kind === 'shell' && request.kind === 'shell' && subjects.unknown !== undefined)
    return 'certain'
  let found: 'doubt' | undefined
  for (const subject of subjects.all) {
    const denial = await denies(rule, subject, subjects)
    if (denial === 'certain') return denial
    found ??= denial
  }
  return found
}

/** The rule that allows the last part, when there is one for each. */
export async function allowanceOf(
  allow: readonly Rule[],
  subjects: Subjects,
): Promise<Rule | undefined> {
  // A rule that allows every command allows those that cannot be read, too.
  const every = allow.find(({ kind, pattern }) => kind === 'shell' && pattern === undefined)
  if (every !== undefined && subjects.isCommand) return every
  let last: Rule | undefined
  for (const subject of subjects.all) {
    if (subject.kind === 'code') continue
    if ('isMention' in subject && subject.isMention && !isLater(subject, subjects)) continue
    let found: Rule | undefined
    for (const rule of allow) if (await allows(rule, subject, subjects)) found ??= rule
    if (found === undefined && !(subject.kind === 'read' && isFreeRead(subject, subjects)))
      return undefined
    last = found ?? last
  }
  return last
}

/** A command that writes the file it is given needs a rule for one that is run later. */
const isLater = (subject: Subject, { cwd }: Subjects): boolean =>
  subject.kind === 'write' &&
  (subject.places ?? []).some((place) => laterName(place, cwd) !== undefined)

/** Beside a command that is allowed, a file of the project may be read. */
const isFreeRead = (
  { places }: { readonly places: readonly string[] | undefined },
  subjects: Subjects,
): boolean => subjects.isCommand && isInProject(subjects, places)
