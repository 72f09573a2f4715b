/**
 * What a person allows from now on by "always": the smallest that helps, said in words before it is given, listed and
 * taken back. It holds in the process in which it was given and is never read from a log.
 */
import { dirname, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { PermissionRequest } from '../agent.ts'
import { isBelow } from '../../lib/is-below.ts'
import { isOutside, outsideOffer } from './outside.ts'
import type { Subject, Subjects } from './rule-words.ts'
import { serverTool } from './server-tool.ts'
import type { Rule } from './rule.ts'

/** What "always" would allow. */
export type Offer = {
  /** After "allow": `commands that begin with git status`. */
  readonly says: string
  readonly covers:
    | { readonly rule: Rule }
    /** The very same command in the same directory. */
    | { readonly command: string; readonly cwd: string }
}

export type Grant = Offer & {
  /** Counted from 1, and not used again. */
  readonly number: number
  readonly givenBy: string
  readonly givenAt: Date
}

export type Grants = {
  readonly list: Grant[]
  last: number
}

export const newGrants = (): Grants => ({ list: [], last: 0 })

export function addGrant(
  grants: Grants,
  offer: Offer,
  given: Pick<Grant, 'givenBy' | 'givenAt'>,
): Grant {
  const known = grants.list.find(({ covers }) => isDeepStrictEqual(covers, offer.covers))
  if (known !== undefined) return known
  const grant = { ...offer, ...given, number: ++grants.last }
  grants.list.push(grant)
  return grant
}

/** False when there is none with this number. */
export function revokeGrant(grants: Grants, number: number): boolean {
  const at = grants.list.findIndex((grant) => grant.number === number)
  if (at === -1) return false
  grants.list.splice(at, 1)
  return true
}

/** Undefined where nothing smaller than everything of its kind could be meant. */
export function offerFor(request: PermissionRequest, subjects: Subjects): Offer | undefined {
  if (isOutside(subjects)) return outsideOffer(subjects)
  if (request.kind === 'shell') return commandOffer(request, subjects)
  const [subject] = subjects.all
  if (subject === undefined) return undefined
  if (subject.kind === 'write' || subject.kind === 'read') return fileOffer(subject, subjects)
  if (request.kind === 'mcp')
    return ruled(
      'mcp',
      `${request.serverName}/${serverTool(request)}`,
      `${serverTool(request)} of ${request.serverName}`,
    )
  if (request.kind === 'custom-tool')
    return ruled('custom-tool', request.toolName, `the tool ${request.toolName}`)
  if (request.kind !== 'url') return undefined
  const { origin } = URL.canParse(request.url) ? new URL(request.url) : { origin: 'null' }
  if (origin === 'null') return undefined
  return {
    says: `addresses at ${origin}`,
    covers: { rule: { text: `url(${origin})`, kind: 'url', pattern: `{${origin},${origin}/**}` } },
  }
}

function ruled(kind: string, literal: string, says: string): Offer | undefined {
  // Signs of a pattern cannot be told from what they would stand for.
  if (/[*?[\]{}\\]/.test(literal)) return undefined
  const text = `${kind}(${literal})`
  return { says, covers: { rule: { text, kind, pattern: literal } } }
}

function fileOffer(
  { kind, places }: Extract<Subject, { kind: 'read' | 'write' }>,
  { cwd }: Subjects,
): Offer | undefined {
  const [place, ...others] = places ?? []
  if (place === undefined || others.length > 0) return undefined
  const folder = dirname(place)
  if (kind === 'read') return ruled('read', place, `reading ${place}`)
  if (!isBelow(cwd, folder) || folder === cwd) {
    const name = isBelow(cwd, place) ? relative(cwd, place) : place
    return ruled('write', place, `writing ${name}`)
  }
  const name = `${relative(cwd, folder)}/`
  const offer = ruled('write', folder, `writes in ${name}`)
  return offer && { ...offer, covers: { rule: below(folder) } }
}

const below = (folder: string): Rule => ({
  text: `write(${folder}/**)`,
  kind: 'write',
  pattern: `${folder}/**`,
})

function commandOffer(
  request: Extract<PermissionRequest, { kind: 'shell' }>,
  subjects: Subjects,
): Offer {
  const [first, ...others] = subjects.all.filter(({ kind }) => kind === 'command')
  const opensFiles = subjects.all.some((each) => 'places' in each && !each.isMention)
  const stem =
    first?.kind === 'command' &&
    others.length === 0 &&
    subjects.unknown === undefined &&
    !opensFiles
      ? looking(first.known)
      : undefined
  if (stem !== undefined) {
    const rule = { text: `shell(${stem}*)`, kind: 'shell', pattern: `${stem}*` }
    return { says: `commands that begin with \`${stem}\``, covers: { rule } }
  }
  const { fullCommandText: command, resolvedWorkingDirectory: cwd = subjects.cwd } = request
  return { says: 'exactly this command', covers: { command, cwd } }
}

/** Commands that look or build, and are asked for again and again with other words behind them. */
const LOOKING =
  /^(?:git (?:status|log|diff|show|blame|rev-parse|ls-files|describe|shortlog)|(?:npm|pnpm|yarn|bun) (?:test|run [\w:.-]+)|cargo (?:test|check|build|clippy)|go (?:test|build|vet)|ls|cat|head|tail|wc|grep|rg|pytest|tsc)(?= |$)/

const looking = (command: string | undefined): string | undefined =>
  LOOKING.exec(command ?? '')?.[0]

/** The grant that was given for this very command. */
export const grantOfCommand = (
  { list }: Grants,
  request: PermissionRequest,
  subjects: Subjects,
): Grant | undefined =>
  list.find(
    ({ covers }) =>
      'command' in covers &&
      request.kind === 'shell' &&
      !isOutside(subjects) &&
      covers.command === request.fullCommandText &&
      covers.cwd === (request.resolvedWorkingDirectory ?? subjects.cwd),
  )
