/**
 * The diagnostics log of a home, `.reprise/logs/reprise-<date>.log`: one JSON object a line, what ended and how, with
 * ids, counts and durations and nothing that was said. REPRISE_LOG chooses how much: off, error, warn (without it),
 * info, debug; none, warning and all, as the Copilot CLI says them, mean the same.
 */
import { join } from 'node:path'
import { homeFolder } from '../format/paths.ts'
import { createRotatingFile } from '../lib/rotating-file.ts'
import type { Attributes, Level, Sink, SpanName } from '../lib/telemetry.ts'

interface Diagnostics extends Sink {
  flush(): void
}

const RANK = {
  off: 0,
  none: 0,
  error: 1,
  warn: 2,
  warning: 2,
  info: 3,
  debug: 4,
  all: 4,
} as const satisfies Readonly<Record<Level, number>> & Readonly<Record<string, number>>

/** What is many in a turn. */
const FINE: ReadonlySet<SpanName> = new Set(['model_call', 'tool'])

const MOST_BYTES = 2 * 1024 * 1024
const MOST_FILES = 8

export function openDiagnostics({
  home,
  level,
  now = () => new Date(),
}: {
  readonly home: string
  /** As REPRISE_LOG says. */
  readonly level: string | undefined
  readonly now?: () => Date
}): Diagnostics {
  const most = RANK[isLevel(level) ? level : 'warn']
  const folder = join(home, homeFolder('diagnostics'))
  const file = createRotatingFile({
    folder,
    stem: 'reprise',
    maxBytes: MOST_BYTES,
    keep: MOST_FILES,
    now,
  })
  const write = (of: Level, name: string, details: object) => {
    if (RANK[of] > most) return
    const { pid } = process
    file.write(JSON.stringify({ time: now().toISOString(), level: of, pid, name, ...details }))
  }
  return {
    begin(name, attributes) {
      const started = performance.now()
      return {
        within: (step) => step(),
        end: (ending) => {
          const durationMs = Math.round(performance.now() - started)
          write(levelOf(name, ending), name, { ...attributes, ...ending, duration_ms: durationMs })
        },
      }
    },
    count: () => {},
    note: (of, name, attributes, frames) =>
      write(of, name, { ...attributes, ...(frames.length > 0 && { frames }) }),
    traceparent: () => undefined,
    flush: () => file.flush(),
  }
}

const isLevel = (text: string | undefined): text is keyof typeof RANK =>
  text !== undefined && Object.hasOwn(RANK, text)

function levelOf(name: SpanName, { outcome }: Attributes): Level {
  if (FINE.has(name)) return 'debug'
  return outcome === 'failed' ? 'warn' : 'info'
}
