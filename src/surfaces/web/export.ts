/** A session as one file that leaves the machine: nothing in it is a secret that can be recognised. */
import type { Engine } from '../../engine/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { toHtml } from '../../state/transcript-html.ts'
import { toMarkdown } from '../../state/transcript-markdown.ts'
import type { TranscriptEntry } from '../../state/transcript.ts'

export type ExportFormat = 'html' | 'markdown' | 'json'

export type Exported = { readonly name: string; readonly text: string }

const ENDINGS: Record<ExportFormat, string> = { html: 'html', markdown: 'md', json: 'json' }

export async function exportSession(
  engine: Engine,
  redact: <T>(value: T) => Promise<T>,
  id: SessionId,
  format: ExportFormat,
): Promise<Exported> {
  const metadata = await engine.metadata(id)
  const about = await redact({
    id,
    title: metadata.name ?? metadata.summary,
    createdAt: metadata.createdAt,
    modifiedAt: metadata.modifiedAt,
    ...(metadata.repository !== undefined && { repository: metadata.repository }),
    ...(metadata.branch !== undefined && { branch: metadata.branch }),
  })
  const name = `reprise-${id.slice(0, 8)}.${ENDINGS[format]}`
  if (format === 'json') {
    const { events } = await engine.events(id)
    const plan = (await engine.readPlan(id)) ?? null
    const whole = { format: 'reprise-session', version: 1, session: about }
    const text = JSON.stringify({ ...whole, ...(await redact({ plan, events })) }, null, 2)
    return { name, text: `${text}\n` }
  }
  const entries: TranscriptEntry[] = []
  for await (const entry of engine.transcript(id)) entries.push(await redact(entry))
  return { name, text: format === 'html' ? toHtml(about, entries) : toMarkdown(entries) }
}
