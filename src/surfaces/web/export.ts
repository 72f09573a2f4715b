/** A session as one file that leaves the machine: nothing in it is a secret that can be recognised. */
import { redactedTranscript } from '../../commands/redacted-transcript.ts'
import type { SessionSummary } from '../../engine/catalogue/catalogue-row.ts'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { preview } from '../../state/preview.ts'
import { toMarkdown } from '../../state/transcript-markdown.ts'
import { toHtml, type ExportAbout } from './export/html.ts'

type ExportFormat = 'html' | 'markdown' | 'json'

type Exported = { readonly name: string; readonly text: string }

type ExportParts = {
  readonly redact: <T>(value: T) => Promise<T>
  /** The style sheet of the page. */
  readonly readStyle: () => Promise<string>
}

const ENDINGS: Record<ExportFormat, string> = { html: 'html', markdown: 'md', json: 'json' }

export async function exportSession(
  engine: Engine,
  { redact, readStyle }: ExportParts,
  id: SessionId,
  format: ExportFormat,
): Promise<Exported> {
  const about = await describe(engine, redact, id)
  const name = `reprise-${id.slice(0, 8)}.${ENDINGS[format]}`
  if (format === 'json') {
    const session = await engine.open(id)
    const { events } = await session.events()
    const plan = await planOf(session)
    const whole = { format: 'reprise-session', version: 1, session: about }
    const text = JSON.stringify({ ...whole, ...(await redact({ plan, events })) }, null, 2)
    return { name, text: `${text}\n` }
  }
  const entries = await redactedTranscript(await engine.open(id), redact)
  const text =
    format === 'html' ? toHtml(about, entries, await readStyle()) : toMarkdown(entries, about)
  return { name, text }
}

/** Undefined where it cannot be told: the plan is with the machine, which may be away or refuse who only watches. */
async function planOf(session: Session): Promise<string | null | undefined> {
  try {
    return (await session.readPlan()) ?? null
  } catch (error) {
    if (session.machine === undefined || !(error instanceof EngineError)) throw error
    return undefined
  }
}

async function describe(
  engine: Engine,
  redact: ExportParts['redact'],
  id: SessionId,
): Promise<ExportAbout> {
  const known = await (await engine.open(id)).metadata()
  const { createdAt, modifiedAt, repository, branch } = await redact(known)
  return {
    id,
    title: await titleOf(engine, redact, known),
    createdAt,
    modifiedAt,
    ...defined({ repository, branch }),
  }
}

/** What it is called outside. Redacted whole and then cut: half a secret looks like none. */
export async function titleOf(
  engine: Engine,
  redact: ExportParts['redact'],
  { id, name, userNamed }: Pick<SessionSummary, 'id' | 'name' | 'userNamed'>,
): Promise<string> {
  const own = userNamed ? name : undefined
  return preview(await redact(own ?? (await firstPrompt(engine, id)) ?? ''), 200)
}

async function firstPrompt(engine: Engine, id: SessionId): Promise<string | undefined> {
  for await (const entry of (await engine.open(id)).transcript())
    if (entry.kind === 'user') return entry.text
  return undefined
}
