/** The last line: which session, where, who answers, how full the context is, and what the keys do now. */
import { visibleWidth } from '@earendil-works/pi-tui'
import { amount } from '../../../lib/quantities.ts'
import { isBusy } from '../model/model.ts'
import type { Model } from '../model/model.ts'
import { fit, inLine } from './text.ts'
import type { Theme } from './theme.ts'

export function statusLine(model: Model, width: number, theme: Theme): string {
  const { session } = model
  const left = [
    theme.bold(
      inLine(session.name ?? (session.id === undefined ? 'new session' : session.id.slice(0, 8))),
    ),
    session.branch === undefined ? '' : theme.cyan(`⎇ ${inLine(session.branch)}`),
    session.model === undefined ? '' : inLine(session.model),
    session.mode === 'interactive' ? '' : theme.yellow(inLine(session.mode)),
    meter(model, theme),
    usage(model),
  ]
    .filter((part) => part !== '')
    .join(theme.dim(' · '))
  const right = theme.dim(hintOf(model))
  const gap = width - visibleWidth(left) - visibleWidth(right)
  return gap >= 2 ? `${left}${' '.repeat(gap)}${right}` : fit(left, width)
}

function meter({ session: { context } }: Model, theme: Theme): string {
  if (context === undefined || context.limit <= 0) return ''
  const part = context.tokens / context.limit
  const paint = part > 0.8 ? theme.red : part > 0.6 ? theme.yellow : theme.green
  const full = Math.min(5, Math.round(part * 5))
  return `${paint('▰'.repeat(full))}${theme.dim('▱'.repeat(5 - full))} ${Math.round(part * 100)}%`
}

function usage({ session: { usage: used } }: Model): string {
  if (used === undefined || used.input + used.output === 0) return ''
  return `↑${amount(used.input)} ↓${amount(used.output)}`
}

function hintOf(model: Model): string {
  if (model.hint !== undefined) return inLine(model.hint)
  if (model.window.isDetached || model.anchor !== undefined) return 'ctrl+end follows'
  if (model.turn.isCancelling) return 'cancelling…'
  if (model.turn.mine) return 'esc cancels · enter queues'
  return isBusy(model) ? 'watching · esc esc cancels' : '/ commands · ? help'
}
