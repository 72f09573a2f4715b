/**
 * Gives a session to another agent: as the file that its own import takes, or as a new session among its own. A file
 * that is there is never written to, and no database of theirs is touched.
 */
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Session } from '../engine/session.ts'
import type { Event, Stranger } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import { claudeFolder, writeClaude } from './claude/write.ts'
import { writeCodex } from './codex/write.ts'
import { writeCopilot } from './copilot/write.ts'
import { opencodeNames, writeOpencode } from './opencode/write.ts'
import { retell } from './convert/replay-to-drafts.ts'
import { createTally, type FidelityReport } from './convert/fidelity-report.ts'
import { defined } from '../lib/defined.ts'
import { isFolder } from '../lib/is-folder.ts'
import { shellQuote } from '../lib/shell/quote.ts'
import { besides } from './import-images.ts'
import type { Surroundings } from './found.ts'
import { textAt } from './scan-folders.ts'

export const TAKERS = ['copilot', 'claude', 'codex', 'opencode'] as const
export type Taker = (typeof TAKERS)[number]

export type Given = {
  readonly to: Taker
  readonly path: string
  /** What goes on with it there. */
  readonly goOn: string
  readonly report: FidelityReport
}

type Giving = {
  readonly to: Taker
  readonly around: Surroundings
  readonly now: () => Date
  readonly newId: () => string
  /** Where it goes on, when the directory that it was in is not on this machine. */
  readonly cwd: string
  /** In place of where the agent looks for it. */
  readonly output?: string
  readonly redact: (value: object) => object
}

const PAGE = 500
const MOST_IMAGE_BYTES = 20 * 1024 * 1024

export async function give(session: Session, giving: Giving): Promise<Given> {
  const { to, around, now, newId, redact } = giving
  const tally = createTally()
  const { cwd: recorded = '', branch, model, startedAt } = await aboutOf(session)
  // A session that comes from another machine goes on in the directory in which it is given away.
  const cwd = (await isFolder(recorded)) ? recorded : giving.cwd
  const place = shellQuote(cwd)
  const picture = async (sha256: string) =>
    Buffer.from(await session.readBlob(sha256, { mostBytes: MOST_IMAGE_BYTES })).toString('base64')
  const told = retell(eventsOf(session), tally, picture)
  const sessionId = newId()
  const provider = to === 'codex' ? await codexProvider(around) : ''
  const configured = to === 'opencode' ? await opencodeModel(around) : {}
  const { name: title = `Session ${session.id.slice(0, 8)}`, clientName } = await session.metadata()
  const isTheirs = clientName === to
  const places: Readonly<Record<Taker, () => NewFile>> = {
    copilot: () => ({
      path: `${session.id}.copilot.jsonl`,
      lines: writeCopilot(
        told,
        {
          externalId: session.id,
          createdAt: startedAt,
          attach: besides(giving.output ?? `${session.id}.copilot.jsonl`),
        },
        tally,
      ),
      goOn: (path) => `copilot sessions import --working-directory ${place} ${shellQuote(path)}`,
    }),
    claude: () => ({
      path: join(
        around.env['CLAUDE_CONFIG_DIR'] || join(around.home, '.claude'),
        'projects',
        claudeFolder(cwd),
        `${sessionId}.jsonl`,
      ),
      lines: writeClaude(told, { sessionId, cwd, isTheirs, ...defined({ branch, model }) }, tally),
      goOn: () => `cd ${place} && claude --resume ${sessionId}`,
    }),
    codex: () => ({
      path: codexPath(around, sessionId, now()),
      lines: writeCodex(
        told,
        { sessionId, cwd, startedAt, provider, ...defined({ branch }) },
        tally,
      ),
      goOn: () => `cd ${place} && codex resume ${sessionId}`,
    }),
    opencode: () => {
      const unique = () => newId().replaceAll('-', '').slice(0, 14)
      const own = opencodeNames(unique)('ses', now().toISOString())
      return {
        path: `${session.id}.opencode.json`,
        shape: 'document',
        lines: writeOpencode(
          told,
          {
            sessionId: own,
            cwd,
            title,
            startedAt,
            version: OPENCODE_VERSION,
            model: { providerID: 'opencode', modelID: model ?? 'default', ...configured },
            unique,
          },
          tally,
        ),
        goOn: (path) =>
          `cd ${place} && opencode import ${shellQuote(resolve(path))} && opencode --session ${own}`,
      }
    },
  }
  const file = places[to]()
  const path = giving.output ?? file.path
  await writeNew(path, file, redact)
  return { to, path, goOn: file.goOn(path), report: tally.report }
}

type NewFile = {
  readonly path: string
  /** `document`: one value, `{"info": the first, "messages": [the others]}`; else a value a line. */
  readonly shape?: 'document'
  readonly lines: AsyncIterable<object>
  readonly goOn: (path: string) => string
}

const codexHome = ({ env, home }: Surroundings): string => env['CODEX_HOME'] || join(home, '.codex')

/** It goes on with a session only by the provider that the session names. */
async function codexProvider(around: Surroundings): Promise<string> {
  const settings = await textAt(join(codexHome(around), 'config.toml'))
  return /^\s*model_provider\s*=\s*"([^"]+)"/m.exec(settings ?? '')?.[1] ?? 'openai'
}

/** The oldest version whose import was seen to take it. */
const OPENCODE_VERSION = '1.18.33'

/** It goes on with the model that the last message names: the one that its user has chosen is surely known to it. */
async function opencodeModel({ env, home }: Surroundings) {
  const folder = join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode')
  for (const name of ['opencode.json', 'opencode.jsonc', 'config.json']) {
    const [, providerID, modelID] =
      /"model"\s*:\s*"([^"/]+)\/([^"]+)"/.exec((await textAt(join(folder, name))) ?? '') ?? []
    if (providerID !== undefined && modelID !== undefined) return { providerID, modelID }
  }
  return {}
}

function codexPath(around: Surroundings, id: string, now: Date): string {
  const [day = '', time = ''] = now.toISOString().split('T')
  const [year = '', month = '', date = ''] = day.split('-')
  const name = `rollout-${day}T${time.slice(0, 8).replaceAll(':', '-')}-${id}.jsonl`
  return join(codexHome(around), 'sessions', year, month, date, name)
}

/** Fails when something is there. */
async function writeNew(
  path: string,
  { lines, shape }: NewFile,
  redact: (value: object) => object,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  try {
    let count = 0
    for await (const line of lines) {
      const text = JSON.stringify(redact(line))
      if (shape === undefined) await file.write(`${text}\n`)
      else if (count === 0) await file.write(`{"info":${text},"messages":[`)
      else await file.write(`${count > 1 ? ',' : ''}\n${text}`)
      count += 1
    }
    if (shape === 'document') await file.write('\n]}\n')
    await file.sync()
  } catch (error) {
    // Half of a session would be taken for all of it.
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function* eventsOf(session: Session): AsyncGenerator<Event | Stranger, void, void> {
  let cursor: EventId | undefined
  for (;;) {
    const page = await session.events({ limit: PAGE, ...defined({ cursor }) })
    yield* page.events
    cursor = page.events.at(-1)?.id
    if (cursor === undefined || !page.more) return
  }
}

async function aboutOf(session: Session) {
  for await (const event of eventsOf(session)) {
    if ('stranger' in event || event.type !== 'session.start') continue
    const { context, selectedModel: model, startTime: startedAt } = event.data
    return { startedAt, ...defined({ cwd: context?.cwd, branch: context?.branch, model }) }
  }
  return { startedAt: new Date(0).toISOString() }
}
