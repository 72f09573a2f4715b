/** A session that is in our own format already, as those of the Copilot CLI are: its folder is copied, byte for byte. */
import type { Engine } from '../engine/engine.ts'
import { sessionDir } from '../engine/session-dir.ts'
import { asSessionId, type SessionId } from '../format/ids.ts'
import { inSession } from '../format/paths.ts'
import { countCopied } from './copilot/count.ts'
import { createTally } from './convert/fidelity-report.ts'
import { agentTitles } from './convert/readers.ts'
import { parsedText } from './convert/values.ts'
import { decodeText } from '../lib/bytes.ts'
import { errorText } from '../lib/error-text.ts'
import { countIn, fieldsOf, type Fields } from '../lib/fields.ts'
import type { FoundSession } from './found.ts'
import type { Came, ImportOptions } from './import.ts'
import { importedId } from './ids.ts'

export async function importFolder(
  engine: Engine,
  found: FoundSession,
  options: ImportOptions,
): Promise<Came> {
  const { agent, nativeId, files, folder = '' } = found
  const about = { agent, nativeId, path: folder }
  const [log, ...others] = files
  if (log === undefined) return { ...about, outcome: 'empty', sessions: [] }
  try {
    if (options.dryRun === true) {
      const id = asSessionId(nativeId)
      return (await bytesTaken(engine, id)) === log.bytes
        ? { ...about, outcome: 'unchanged', sessions: [id] }
        : { ...about, outcome: 'found', sessions: [] }
    }
    const tally = createTally()
    const outcome = await engine.importFolder({
      agent,
      title: agentTitles[agent],
      nativeId,
      idOf: (generation) =>
        generation === 0 ? asSessionId(nativeId) : importedId(agent, nativeId, { generation }),
      log: log.path,
      files: others.map(({ role, path }) => ({ from: path, to: role.slice('file '.length) })),
      isWantedAgain: options.again === true,
      onEvent: (event) => countCopied(tally, event),
      report: () => tally.report as unknown as Fields,
    })
    return {
      ...about,
      outcome: outcome.outcome,
      sessions: outcome.outcome === 'deleted' ? [] : [outcome.id],
      report: tally.report,
    }
  } catch (error) {
    return { ...about, outcome: 'failed', sessions: [], why: errorText(error) }
  }
}

/** How long its log was when it was last taken; undefined when it never was. */
async function bytesTaken({ fs }: Engine, id: SessionId): Promise<number | undefined> {
  const path = inSession(sessionDir(id), 'imported')
  const note = (await fs.stat(path)) && (await fs.read(path))
  return note && countIn(fieldsOf(parsedText(decodeText(note))), 'bytes')
}
