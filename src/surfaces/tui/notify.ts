/**
 * Calls a user back who looks elsewhere: when a turn has ended, and when the agent asks. By a bell or by a notification
 * of the terminal, as the settings say; never while the terminal has the focus or the user types in it.
 */
import { safeText } from '../../lib/safe-text.ts'
import { isBusy, type Model } from './model/model.ts'

export type NotifyBy = 'auto' | 'bell' | 'osc9' | 'osc99' | 'osc777' | 'off'

type NotifyOptions = {
  readonly by: NotifyBy
  readonly env: NodeJS.ProcessEnv
  readonly write: (data: string) => void
  /** Milliseconds that only ever grow. */
  readonly clock: () => number
}

/** Where the terminal does not tell of its focus, who has not typed for so long is taken to be away. */
const AWAY_MS = 10_000

const ASKED_MS = 100

export function createNotifier({ by, env, write, clock }: NotifyOptions) {
  const way = by === 'auto' ? wayFor(env) : by
  let hasFocus: boolean | undefined
  let typedAt = clock()
  /** What is asked now, as far as it was told. */
  let asked: string | undefined
  const isAway = () => (hasFocus === undefined ? clock() - typedAt > AWAY_MS : !hasFocus)
  return {
    isAway,
    /** Everything that comes from the terminal is seen here first. */
    heard(data: string): void {
      if (data === '\x1b[I' || data === '\x1b[O') hasFocus = data === '\x1b[I'
      else typedAt = clock()
    },
    changed(before: Model, after: Model): void {
      const [ask] = after.asks
      const isAsked = ask !== undefined && ask.requestId !== before.asks[0]?.requestId
      const hasEnded = before.turn.mine && !isBusy(after)
      asked = ask?.requestId
      const call = (words: string) => {
        if (way !== 'off' && isAway()) write(signal(way, after.session.name ?? 'Reprise', words))
      }
      // What a rule answers is asked for a moment only.
      if (isAsked) setTimeout(() => asked === ask.requestId && call(`asks: ${ask.what}`), ASKED_MS)
      else if (hasEnded) call('is done')
    },
  }
}

/** By what each terminal is known to understand; a bell is understood by all, and by what holds several of them. */
export function wayFor(env: NodeJS.ProcessEnv): Exclude<NotifyBy, 'auto'> {
  if ((env['TMUX'] ?? '') !== '' || (env['STY'] ?? '') !== '') return 'bell'
  const program = env['TERM_PROGRAM'] ?? ''
  if ((env['KITTY_WINDOW_ID'] ?? '') !== '') return 'osc99'
  if (['iTerm.app', 'WezTerm', 'ghostty'].includes(program)) return 'osc9'
  return /^(?:rxvt|foot)/.test(env['TERM'] ?? '') ? 'osc777' : 'bell'
}

const LONGEST = 120

function signal(way: NotifyBy, title: string, text: string): string {
  // A semicolon parts the fields.
  const clean = (words: string) =>
    safeText(words).replaceAll(';', ',').slice(0, LONGEST).toWellFormed()
  const [name, what] = [clean(title), clean(text)]
  if (way === 'osc9') return `\x1b]9;${name} ${what}\x07`
  if (way === 'osc777') return `\x1b]777;notify;${name};${what}\x07`
  return way === 'osc99' ? `\x1b]99;;${name} ${what}\x1b\\` : '\x07'
}
