/** Where entries of the Claude Agent SDK lie in a home: `<project>/<session>.jsonl`, and below it what sub-agents said. */
import { homeFolder, inHome } from '../format/paths.ts'

export type SessionKey = {
  readonly projectKey: string
  readonly sessionId: string
  /** The file of a sub-agent: `subagents/agent-<id>`. */
  readonly subpath?: string
}

const CLAUDE_STORE = homeFolder('claudeStore')
const ENDING = '.jsonl'

/** Keys are any text: what is no letter, digit, `-` or `_` is written as its bytes, so that no name leads elsewhere. */
const safe = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => {
    const letter = String.fromCharCode(byte)
    return /[\w-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`
  }).join('')

function named(key: string): string {
  if (key === '') throw new TypeError('A project and a session have a name. Nothing was changed.')
  return safe(key)
}

const read = (name: string): string => decodeURIComponent(name)

export const projectFolder = (projectKey: string): string => `${CLAUDE_STORE}/${named(projectKey)}`

/** What sub-agents said. */
export const partsFolder = ({ projectKey, sessionId }: SessionKey): string =>
  `${projectFolder(projectKey)}/${named(sessionId)}`

export function fileOf(key: SessionKey): string {
  const { subpath } = key
  const name = subpath === undefined ? '' : `/${subpath.split('/').map(safe).join('/')}`
  const path = `${partsFolder(key)}${name}${ENDING}`
  return inHome('claudeStore', { path: path.slice(CLAUDE_STORE.length + 1) })
}

/** The id of a session whose file has this name; undefined for what is no such file. */
export const sessionOfName = (name: string): string | undefined =>
  name.endsWith(ENDING) ? read(name.slice(0, -ENDING.length)) : undefined

/** Of a file below `partsFolder`. */
export const subpathOf = (path: string): string | undefined =>
  path.endsWith(ENDING) ? path.slice(0, -ENDING.length).split('/').map(read).join('/') : undefined
