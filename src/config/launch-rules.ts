/** Permissions in the notation of the Copilot CLI's options, as rules of ours: `shell(git:*)` is `shell(git *)`. Pure. */
import { ruleTrouble } from './rule-texts.ts'

export type Grants = {
  readonly allowTool?: readonly string[]
  readonly denyTool?: readonly string[]
  readonly allowUrl?: readonly string[]
  readonly denyUrl?: readonly string[]
  readonly allowAllTools?: true
  readonly allowAllUrls?: true
  readonly allowAllPaths?: true
  /** Absolute. */
  readonly addDir?: readonly string[]
  /** The system's folder for temporary files, where it may be used without asking. */
  readonly tempDir?: string
}

export type LaunchRules = {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  /** Tools need no leave, but for what is outside of these folders. */
  readonly allTools?: { readonly folders: readonly string[] | 'any' }
}

export const rulesOf = (grants: Grants): LaunchRules => ({
  allow: [
    ...(grants.allowTool ?? []).flatMap(split).flatMap(toolRules),
    ...(grants.allowUrl ?? []).flatMap(split).flatMap(urlRules),
    ...(grants.allowAllUrls === true ? ['url'] : []),
    ...(grants.allowAllPaths === true ? ['read'] : []),
    ...(grants.addDir ?? []).flatMap((folder) => [`read(${folder})`, `read(${folder}/**)`]),
  ],
  deny: [
    ...(grants.denyTool ?? []).flatMap(split).flatMap(toolRules),
    ...(grants.denyUrl ?? []).flatMap(split).flatMap(urlRules),
  ],
  ...(grants.allowAllTools === true && { allTools: { folders: foldersOf(grants) } }),
})

/** What was meant by an option that can be no rule. `servers` are those that there are. */
export function brokenOption(
  { allowTool = [], denyTool = [] }: Grants,
  servers: readonly string[],
): string | undefined {
  const given = [
    ...allowTool.flatMap(split).map((text) => ['--allow-tool', text] as const),
    ...denyTool.flatMap(split).map((text) => ['--deny-tool', text] as const),
  ]
  for (const [option, text] of given) {
    const trouble = ruleTrouble(text, servers)
    if (trouble !== undefined) return `${option}: ${trouble}`
  }
  return undefined
}

const foldersOf = ({ allowAllPaths, addDir = [], tempDir }: Grants): readonly string[] | 'any' =>
  allowAllPaths === true ? 'any' : [...addDir, ...(tempDir === undefined ? [] : [tempDir])]

/** Several may stand in one word, with commas between them; a comma in brackets belongs to its rule. */
const split = (text: string): string[] =>
  text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const KINDS: ReadonlySet<string> = new Set([
  'shell',
  'write',
  'read',
  'url',
  'memory',
  'custom-tool',
])

function toolRules(text: string): string[] {
  const [, kind = text, subject] = /^([^()]+)(?:\((.*)\))?$/s.exec(text) ?? []
  // Everything else is the name of a server, with one of its tools.
  if (!KINDS.has(kind)) return [`mcp(${kind}/${subject || '*'})`]
  if (subject === undefined || subject === '') return [kind]
  if (kind === 'shell') return shellRules(subject)
  if (kind === 'url') return urlRules(subject)
  // A path that is not absolute stands for the end of one.
  return subject.startsWith('/')
    ? [`${kind}(${subject})`]
    : [`${kind}(${subject})`, `${kind}(**/${subject})`]
}

/** `git push` stands for it with whatever follows, as does `git push:*`. */
function shellRules(subject: string): string[] {
  const stem = subject.replace(/:\*$/, '').trim()
  return [`shell(${stem})`, `shell(${stem} *)`]
}

/** Without a protocol it is HTTPS. */
function urlRules(subject: string): string[] {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(subject) ? subject : `https://${subject}`
  const bare = address.replace(/\/+$/, '')
  return [`url(${bare})`, `url(${bare}/**)`]
}
