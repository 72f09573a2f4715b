/**
 * The last line: which session, where, who answers, how, how full the context is, what it cost, and what the keys do
 * now. Where there is little room the least of it goes first; who answers stays.
 */
import { visibleWidth } from '@earendil-works/pi-tui'
import { amount } from '../../../lib/quantities.ts'
import { isBusy, type Model } from '../model/model.ts'
import { fit, inLine } from './text.ts'
import type { Theme } from './theme.ts'

type Part = {
  readonly text: string
  /** What goes first when there is too much has the highest number. */
  readonly rank: number
}

const LONGEST_NAME = 32
const SHORTEST_NAME = 12

export function statusLine(model: Model, width: number, theme: Theme): string {
  const hint = theme.dim(hintOf(model))
  const most = width - visibleWidth(hint) - 2
  for (const longest of [LONGEST_NAME, SHORTEST_NAME]) {
    for (let rank = 9; rank > 1; rank--) {
      const left = lineOf(partsOf(model, longest, theme), rank, theme)
      if (visibleWidth(left) <= most)
        return `${left}${' '.repeat(width - visibleWidth(left) - visibleWidth(hint))}${hint}`
      // A shorter name before anything else goes.
      if (longest === LONGEST_NAME) break
    }
  }
  for (let rank = 9; rank > 0; rank--) {
    const left = lineOf(partsOf(model, SHORTEST_NAME, theme), rank, theme)
    if (visibleWidth(left) <= width) return left
  }
  return fit(lineOf(partsOf(model, SHORTEST_NAME, theme), 0, theme), width)
}

const lineOf = (parts: readonly Part[], most: number, theme: Theme): string =>
  parts
    .filter(({ text, rank }) => text !== '' && rank <= most)
    .map(({ text }) => text)
    .join(theme.dim(' · '))

function partsOf(model: Model, longestName: number, theme: Theme): readonly Part[] {
  const { session } = model
  const name = session.name ?? (session.id === undefined ? 'new session' : session.id.slice(0, 8))
  return [
    { text: vimMode(model, theme), rank: 1 },
    { text: theme.bold(fit(inLine(name), longestName)), rank: 3 },
    {
      text: session.branch === undefined ? '' : theme.cyan(`⎇ ${fit(inLine(session.branch), 24)}`),
      rank: 7,
    },
    { text: who(model, theme), rank: 0 },
    { text: mode(model, theme), rank: 4 },
    { text: remote(model, theme), rank: session.remote?.isLate === true ? 1 : 5 },
    { text: meter(model, theme), rank: 2 },
    { text: cost(model), rank: 6 },
    { text: tokens(model), rank: 8 },
  ]
}

const vimMode = ({ vim }: Model, theme: Theme): string =>
  vim === undefined || vim === 'insert' ? '' : theme.inverse(` ${vim.toUpperCase()} `)

/** An agent, and the model that it asks where that is known: as it was chosen, or as the last answer says. */
function who({ answering, session, window }: Model, theme: Theme): string {
  if (answering === undefined) return session.model === undefined ? '' : inLine(session.model)
  if (answering.kind === 'offline') return theme.yellow('no model')
  const { model = answering.kind === 'model' ? answering.name : undefined } = session
  if (answering.kind === 'model') return inLine(model ?? answering.name)
  return inLine([answering.name, model ?? lastModel(window.items)].filter(Boolean).join(' '))
}

function lastModel(items: Model['window']['items']): string | undefined {
  for (const { entry } of items.toReversed()) {
    if (entry.kind === 'model') return entry.model
    if (entry.kind === 'assistant' && entry.model !== undefined) return entry.model
  }
  return undefined
}

function mode({ session, allowsAll }: Model, theme: Theme): string {
  if (allowsAll)
    return theme.yellow(
      session.mode === 'interactive' ? 'allows all' : `${inLine(session.mode)}, allows all`,
    )
  return session.mode === 'interactive' ? 'interactive' : theme.yellow(inLine(session.mode))
}

/** Whether what is seen elsewhere is what is here; `/remote` has the link. */
function remote({ session: { remote: words } }: Model, theme: Theme): string {
  if (words === undefined) return ''
  const text = `⇄ ${fit(inLine(words.text), 32)}`
  return words.isLate ? theme.yellow(text) : text
}

/** Of a model of ours the window is known, or nobody knows it; another agent tells of its own while it works. */
function meter({ session, answering, window }: Model, theme: Theme): string {
  const isUnsaid =
    window.items.length === 0 && answering !== undefined && answering.kind !== 'offline'
  const { context = isUnsaid ? { tokens: 0 } : undefined } = session
  if (context === undefined) return ''
  const limit = answering?.kind === 'model' ? answering.window : context.limit
  if (limit === undefined) return `${amount(context.tokens)} ctx`
  const part = context.tokens / limit
  const paint = part > 0.8 ? theme.red : part > 0.6 ? theme.yellow : theme.green
  const full = Math.min(5, Math.round(part * 5))
  return `${paint('▰'.repeat(full))}${theme.dim('▱'.repeat(5 - full))} ${Math.round(part * 100)}%`
}

function cost({ session: { usage } }: Model): string {
  if (usage === undefined) return ''
  if (usage.dollars > 0)
    return `$${usage.dollars < 0.1 ? usage.dollars.toFixed(3) : usage.dollars.toFixed(2)}`
  return usage.cost > 0 ? `${amount(usage.cost)} premium` : ''
}

function tokens({ session: { usage } }: Model): string {
  if (usage === undefined || usage.input + usage.output === 0) return ''
  return `↑${amount(usage.input)} ↓${amount(usage.output)}`
}

function hintOf(model: Model): string {
  if (model.hint !== undefined) return inLine(model.hint)
  if (model.window.isDetached || model.anchor !== undefined) return 'ctrl+end follows'
  if (model.turn.isCancelling) return 'cancelling…'
  if (model.turn.mine) return 'esc cancels · enter queues'
  return isBusy(model) ? 'watching · esc esc cancels' : '/ commands · ? help'
}
