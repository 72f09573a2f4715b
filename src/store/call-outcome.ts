/** What a tool call was about and what went wrong with it, read from its row. Rows of any agent are understood. */
import { EXITED } from '../state/exit-code.ts'
import { INTERRUPTED } from '../state/provider-valid.ts'

export type CallRow = {
  readonly sessionId: string
  readonly turn: number
  readonly tool: string
  /** As JSON, perhaps cut. */
  readonly args: string
  readonly output: string
  /** Null while the call has no end. */
  readonly success: number | null
}

export type Trouble = {
  readonly kind: 'denied' | 'interrupted' | 'failed' | 'exit'
  /** The line that says most. */
  readonly reason: string
}

/** Undefined when it went well, or is not over. */
export function troubleOf({ tool, args, output, success }: CallRow): Trouble | undefined {
  if (success === null) return undefined
  if (success === 0) {
    if (output.includes(INTERRUPTED)) return { kind: 'interrupted', reason: INTERRUPTED }
    const kind = DENIED.test(output) ? 'denied' : 'failed'
    return { kind, reason: kind === 'denied' ? firstLine(output) : tellingLine(output) }
  }
  const [, code] = EXITED.exec(output.slice(-200)) ?? []
  if (code === undefined || code === '0' || ANSWERS_BY_CODE.test(whatOf({ tool, args }))) {
    return undefined
  }
  const said = tellingLine(output)
  return { kind: 'exit', reason: `exit code ${code}${said === '' ? '' : `: ${said}`}` }
}

/** The command, or the tool and the file that it was about, in one line. */
export function whatOf({ tool, args }: Pick<CallRow, 'tool' | 'args'>): string {
  const command = fieldOf(args, 'command') ?? fieldOf(args, 'cmd')
  if (command !== undefined) return oneLine(command)
  const path = fieldOf(args, 'path') ?? fieldOf(args, 'file_path') ?? fieldOf(args, 'filePath')
  return oneLine(path === undefined ? tool : `${tool} ${path}`)
}

export const isCommand = ({ args }: Pick<CallRow, 'args'>): boolean =>
  (fieldOf(args, 'command') ?? fieldOf(args, 'cmd')) !== undefined

/** The words of our tools, and of the Copilot CLI's. */
const DENIED =
  /^(?:A person denied this|A rule of the host denied this|This needs permission, and nobody|A hook denied this|Permission denied and could not request|The user rejected)/

/** They end with 1 to say "no". */
const ANSWERS_BY_CODE =
  /^(?:[^\s=]+=\S+ )*(?:grep|rg|egrep|diff|cmp|test|\[|which|git diff|pgrep)\b|^\[/

const fieldOf = (args: string, name: string): string | undefined => {
  const value = parsed(args)?.[name]
  if (typeof value === 'string') return value
  // Arguments that were cut are no JSON any more, but the field may be whole.
  const [, inside] = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.){0,2000})"`).exec(args) ?? []
  return inside === undefined ? undefined : (parsed(`{"it":"${inside}"}`)?.it as string | undefined)
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    // Arguments are kept up to a length, and half of them is no JSON: the caller looks for the field itself.
    return undefined
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const firstLine = (text: string): string => oneLine(text.split('\n', 1)[0] ?? '')

/** The first line that names an error, else the last one that says anything. */
function tellingLine(text: string): string {
  const lines = text
    .slice(-4000)
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '' && !EXITED.test(line))
  const telling = lines.find((line) => /error|not found|cannot|failed|denied|no such/i.test(line))
  return telling ?? lines.at(-1) ?? ''
}
