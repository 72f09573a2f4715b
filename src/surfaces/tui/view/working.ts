/** What goes on right now, in one line that moves: what it does, for how long, and how much has come. */
import { amount, spanText } from '../../../lib/quantities.ts'
import { isBusy, type Model } from '../model/model.ts'
import { fit, inLine } from './text.ts'
import type { Theme } from './theme.ts'
import { argumentText } from '../../../state/call-text.ts'

const SIGNS = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
/** How long one sign stands. Four frames a second are motion enough, and cost next to nothing. */
export const SIGN_MS = 250
/** Characters of a token, about. */
const PER_TOKEN = 4

type Pulse = {
  readonly now: Date
  /** When it began, as this screen saw it. */
  readonly since: Date
  readonly width: number
  readonly theme: Theme
}

/** Whether something moves on the screen that nobody tells. */
export const isMoving = (model: Model): boolean =>
  model.work !== undefined || (isBusy(model) && model.asks.length === 0)

export function workingLines(model: Model, { now, since, width, theme }: Pulse): string[] {
  if (!isMoving(model)) return []
  const sign = SIGNS[Math.floor(now.getTime() / SIGN_MS) % SIGNS.length] ?? '●'
  const parts = [
    `${inLine(whatOf(model))}…`,
    spanText(now.getTime() - since.getTime()),
    ...(model.live.heard < PER_TOKEN
      ? []
      : [`↓ ${amount(Math.round(model.live.heard / PER_TOKEN))} tokens`]),
  ]
  return [fit(`${theme.yellow(sign)} ${theme.dim(parts.join(' · '))}`, width)]
}

function whatOf(model: Model): string {
  const { work, turn, answering, live } = model
  if (work !== undefined) return work
  const deed = deedOf(model)
  if (!turn.mine) return `another terminal is at work here${deed === undefined ? '' : `: ${deed}`}`
  if (deed !== undefined) return deed
  const name = answering?.name ?? 'the agent'
  const isStarting = answering?.kind === 'agent' && turn.isFirst && live.heard === 0
  return isStarting ? `starting ${name}` : `waiting for ${name}`
}

function deedOf(model: Model): string | undefined {
  const { live } = model
  if (live.retry !== undefined) return live.retry
  const tool = runningTool(model)
  if (tool !== undefined) return `running ${tool}`
  if (live.text !== '') return 'answering'
  return live.thought === '' ? live.intent : 'thinking'
}

const LONGEST = 60

function runningTool({ window }: Model): string | undefined {
  const entry = window.items.findLast(({ entry: each }) => each.kind === 'tool')?.entry
  if (entry?.kind !== 'tool' || entry.status !== 'running') return undefined
  const given = inLine(argumentText(entry.arguments))
  return fit(`${entry.toolName} ${given}`.trim(), LONGEST)
}
