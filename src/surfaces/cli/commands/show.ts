/** `sessions show`: what is known of a session, what is wrong with it, and what was said in it. */
import type { Engine } from '../../../engine/engine.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { SessionId } from '../../../format/ids.ts'
import type { SessionState } from '../../../state/session-state.ts'
import { sessionTitle } from '../../../state/session-title.ts'
import { toMarkdown } from '../../../state/transcript-markdown.ts'
import type { Cli, Run } from '../command.ts'
import { findSession } from '../find-session.ts'
import { counted, relativeTime, sizeText } from '../../../lib/quantities.ts'
import { bold, dim, yellow } from '../render/span.ts'
import type { Span } from '../render/span.ts'
import { transcriptLines } from '../render/transcript.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  if (given.flag('markdown')) return showMarkdown(cli, engine, id)
  if (given.flag('transcript')) return showTranscript(cli, engine, id)
  const session = await (await engine.open(id)).metadata()
  const state = await readableState(engine, id)
  const { ailments } = await engine.doctor(id)
  if (cli.json) {
    cli.out.json({ session, numbers: state === undefined ? null : numbersOf(state), ailments })
    return
  }
  cli.out.line(bold(sessionTitle(session)))
  const now = cli.now()
  const when = (iso: string) => `${iso} (${relativeTime(iso, now)})`
  const { holder } = session
  field(cli, 'id', session.id)
  field(cli, 'directory', session.cwd)
  field(cli, 'repository', session.repository)
  field(cli, 'branch', session.branch)
  field(cli, 'created', when(session.createdAt))
  field(cli, 'changed', when(session.modifiedAt))
  field(cli, 'written by', session.clientName)
  field(cli, 'folder', `${session.path} (${sizeText(session.folderBytes)})`)
  field(cli, 'model', state?.model)
  if (state !== undefined) field(cli, 'contents', contentsOf(state, session.bytes))
  if (session.rewound > 0)
    field(cli, 'rewound', `${counted(session.rewound, 'time')}, kept for redo`)
  if (holder !== undefined) {
    field(
      cli,
      'open in',
      `${holder.label}, pid ${holder.pid} on ${holder.host}, since ${holder.since}`,
    )
  }
  for (const { message } of ailments) cli.out.line(yellow('! '), message)
  if (ailments.length > 0) cli.out.line(dim(`reprise doctor ${id} says more.`))
}

function field(cli: Cli, label: string, value: Span | undefined): void {
  if (value !== undefined) cli.out.line('  ', dim(label.padEnd(11)), value)
}

/** A damaged beginning leaves a session without a state; everything else of it can still be shown. */
async function readableState(engine: Engine, id: SessionId): Promise<SessionState | undefined> {
  try {
    return await (await engine.open(id)).state()
  } catch (error) {
    if (error instanceof EngineError && error.code === 'corrupt') return undefined
    throw error
  }
}

const numbersOf = (state: SessionState) => ({
  events: state.eventCount,
  turns: state.turns.length,
  messages: state.messageCount,
  checkpoints: state.compaction.checkpoints.length,
  strangers: state.strangerCount,
  errors: state.errorCount,
  aborts: state.abortCount,
})

const contentsOf = (state: SessionState, bytes: number): string =>
  [
    counted(state.turns.length, 'turn'),
    counted(state.eventCount, 'event'),
    ...(state.compaction.checkpoints.length > 0
      ? [counted(state.compaction.checkpoints.length, 'checkpoint')]
      : []),
    sizeText(bytes),
  ].join(', ')

async function showMarkdown(cli: Cli, engine: Engine, id: SessionId): Promise<void> {
  if (cli.json) return showTranscript(cli, engine, id)
  const { name, summary } = await (await engine.open(id)).metadata()
  cli.out.block(`# ${name ?? summary}\n`)
  for await (const entry of (await engine.open(id)).transcript())
    cli.out.block(`\n${toMarkdown([entry])}`)
}

async function showTranscript(cli: Cli, engine: Engine, id: SessionId): Promise<void> {
  for await (const entry of (await engine.open(id)).transcript()) {
    if (cli.json) cli.out.record(entry)
    else for (const spans of transcriptLines(entry)) cli.out.line(...spans)
  }
}
