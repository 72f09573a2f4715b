/**
 * Lists of commands and what the rules make of them. Each is decided by the real policy; what it lets through is really
 * run in a throwaway project, and harm is a fact: a file made, a secret printed, a file changed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { PermissionRequest } from '../../src/engine/agent.ts'
import { rulesPolicy, type PermissionRules } from '../../src/engine/turn/permission-rules.ts'
import { allowTries } from './allow-tries.ts'
import { denyPathTries } from './deny-path-tries.ts'
import { denyShellTries } from './deny-shell-tries.ts'
import { ordinaryCommands } from './ordinary-commands.ts'
import { harmIn, openPlaces, runIn, type Wrap } from './place.ts'

export type Try = {
  readonly rules: PermissionRules
  /** A command, or a file that a tool would write. */
  readonly request: { readonly shell: string } | { readonly write: string }
}

export type Group = 'allow' | 'deny-path' | 'deny-shell' | 'ordinary'

export const TRIES: Readonly<Record<Group, readonly Try[]>> = {
  allow: allowTries,
  'deny-path': denyPathTries,
  'deny-shell': denyShellTries,
  ordinary: ordinaryCommands,
}

export type Outcome = {
  readonly text: string
  readonly decision: 'allow' | 'ask' | 'deny'
  /** Undefined where nothing was harmed, or nothing was run. */
  readonly harm: string | undefined
}

export type TriesOptions = {
  readonly groups?: readonly Group[]
  /** Starts what is let through in a sandbox of the system. */
  readonly sandbox?: Wrap
  /** Runs everything, whatever the rules say: which tries do harm at all. */
  readonly unruled?: boolean
  /** Nothing is run. */
  readonly decidedOnly?: boolean
}

export async function runTries(options: TriesOptions = {}): Promise<Record<Group, Outcome[]>> {
  const { groups = Object.keys(TRIES) as Group[] } = options
  using places = openPlaces()
  // Decided where nothing is ever run; only what is let through needs a place of its own.
  using quiet = places.take()
  const outcomes: Record<Group, Outcome[]> = {
    allow: [],
    'deny-path': [],
    'deny-shell': [],
    ordinary: [],
  }
  for (const group of groups) {
    const waiting = TRIES[group].map((each, at) => ({ each, at }))
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        outcomes[group][next.at] = await attempt(next.each, group)
    }
    await Promise.all([work(), work()])
  }
  return outcomes

  async function attempt({ rules, request }: Try, group: Group): Promise<Outcome> {
    const isShell = 'shell' in request
    const isSecret = group === 'deny-path'
    const text = isShell ? request.shell : `write ${request.write}`
    const session = {
      mode: 'interactive',
      cwd: quiet.project,
      workspacePath: join(quiet.root, 'session'),
    }
    // What no rule allows is asked; where rules deny, everything else is allowed, as by --allow-all.
    const policy = rulesPolicy(rules, (_, { mustAsk }) =>
      group === 'allow' || mustAsk === true ? 'ask' : { kind: 'allow', by: 'policy' },
    )
    const wanted = isShell
      ? { kind: 'shell', fullCommandText: text }
      : { kind: 'write', fileName: request.write }
    const answer = await policy({ toolCallId: 'c', ...wanted } as PermissionRequest, session)
    const decision = answer === 'ask' ? 'ask' : answer.kind === 'deny' ? 'deny' : 'allow'
    const isRun = decision === 'allow' || options.unruled === true
    if (!isRun || options.decidedOnly === true) return { text, decision, harm: undefined }
    using place = places.take()
    if (isShell) {
      const output = await runIn(place, text, options.sandbox)
      return { text, decision, harm: harmIn(place, { output, isSecret }) }
    }
    const path = isAbsolute(request.write) ? request.write : join(place.project, request.write)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'touch pwned\n')
    return { text, decision, harm: harmIn(place, { output: '', isSecret }) }
  }
}

export const count = (outcomes: readonly Outcome[]) => ({
  tried: outcomes.length,
  denied: outcomes.filter(({ decision }) => decision === 'deny').length,
  asked: outcomes.filter(({ decision }) => decision === 'ask').length,
  passed: outcomes.filter(({ decision }) => decision === 'allow').length,
  harmed: outcomes.filter(({ harm }) => harm !== undefined).length,
})
