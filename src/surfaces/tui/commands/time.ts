/** Back and forth in time: /undo, /redo, /rewind, /fork, /tree. */
import type { EventId, SessionId } from '../../../format/ids.ts'
import type {
  RewindMode,
  RewindOptions,
  RewindPreview,
  RewindResult,
} from '../../../engine/time/rewind.ts'
import { filesTold } from '../../../engine/time/rewound-words.ts'
import { defined } from '../../../lib/defined.ts'
import { forkTree } from '../../../state/fork-tree.ts'
import { ago } from '../view/text.ts'
import { counted, inSession } from './command.ts'
import type { Choice, Command, CommandHost } from './command.ts'

const undo = inSession(async (host, id, rest) => {
  const asked = /^([1-9]\d*)?\s*(conversation)?$/.exec(rest)
  if (asked === null)
    return host.say(`/undo wants a number, or "conversation" to keep files, not "${rest}".`, 'bad')
  const [, turns = '1', keepsFiles] = asked
  const point = (await (await host.engine.open(id)).rewindPoints())[Number(turns) - 1]
  if (point === undefined) return host.say('There is nothing to undo.', 'faint')
  await goBack(host, id, point.eventId, keepsFiles === undefined ? {} : { mode: 'conversation' })
})

const redo = inSession(async (host, id) => {
  const result = await (await host.engine.open(id)).redo()
  host.say(
    `Redone: ${counted(result.eventsRestored, 'event')} came back.\n${filesTold(result)}`,
    'good',
  )
  await host.refresh()
})

const rewind = inSession(async (host, id) => {
  const points = await (await host.engine.open(id)).rewindPoints()
  if (points.length === 0) return host.say('There is nothing to go back to yet.', 'faint')
  const choices = points.map(({ index, preview, at, eventId }) => ({
    label: preview,
    detail: `turn ${index + 1} · ${ago(at, host.now())}`,
    value: eventId,
  }))
  const eventId = await host.choose('Go back to before which message?', choices, async (value) =>
    previewLines(await (await host.engine.open(id)).previewRewind(value)),
  )
  if (eventId === undefined) return
  const preview = await (await host.engine.open(id)).previewRewind(eventId)
  const mode = await chooseMode(host, preview)
  if (mode !== undefined) await goBack(host, id, eventId, { mode })
})

async function chooseMode(
  host: CommandHost,
  preview: RewindPreview,
): Promise<RewindMode | undefined> {
  const what = `${counted(preview.turnsRemoved, 'turn')}, ${counted(preview.eventsRemoved, 'event')}`
  const talk: Choice<RewindMode> = { label: 'conversation', detail: what, value: 'conversation' }
  if (preview.files.length === 0) {
    return (await host.confirm(`Take back ${what}? /redo brings it back.`))
      ? 'conversation-and-files'
      : undefined
  }
  const both: Choice<RewindMode> = {
    label: 'conversation and files',
    detail: `${what}; ${preview.files.map(({ path }) => path).join(', ')}`,
    value: 'conversation-and-files',
  }
  return host.choose('Take back what?', [both, talk])
}

function previewLines({ turnsRemoved, eventsRemoved, files }: RewindPreview): string[] {
  const verdicts = {
    restore: '',
    already: ' (is so already)',
    drifted: ' (changed since: left alone)',
    notCovered: ' (no earlier version is known: left alone)',
  }
  return [
    `takes back ${counted(turnsRemoved, 'turn')}, ${counted(eventsRemoved, 'event')}`,
    ...files.map(
      ({ path, of, change, verdict, linesAdded, linesRemoved }) =>
        `${change} ${path}${of === 'session' ? ' of the session' : ''} +${linesAdded} -${linesRemoved}${verdicts[verdict]}`,
    ),
  ]
}

async function goBack(
  host: CommandHost,
  id: SessionId,
  eventId: EventId,
  options: RewindOptions,
): Promise<void> {
  const prompt = await promptAt(host, id, eventId)
  const result = await (await host.engine.open(id)).rewind(eventId, options)
  host.say(told(result), 'good')
  host.write(prompt)
  await host.refresh()
}

const told = (result: RewindResult): string =>
  `Took back ${counted(result.turnsRemoved, 'turn')}. /redo brings it back.\n${filesTold(result)}`

/** The whole message, which a list shows only the beginning of: the event behind the one before it. */
async function promptAt({ engine }: CommandHost, id: SessionId, eventId: EventId): Promise<string> {
  const before = await (
    await engine.open(id)
  ).events({ direction: 'backward', cursor: eventId, limit: 1 })
  const cursor = before.events[0]?.id
  const [event] = (await (await engine.open(id)).events({ limit: 1, ...defined({ cursor }) }))
    .events
  return event !== undefined && !('stranger' in event) && event.type === 'user.message'
    ? event.data.content
    : ''
}

const fork = inSession(async (host, id, name) => {
  const forked = await (await host.engine.open(id)).fork(name === '' ? {} : { name })
  await host.open(forked.sessionId)
  host.say(
    `This is "${forked.name}", forked from ${id.slice(0, 8)}. The other one is as it was.`,
    'good',
  )
})

const tree = inSession(async (host, id) => {
  const rows = forkTree(await host.engine.list(), id)
  if (rows.length < 2) return host.say('This session has no forks. /fork makes one.', 'faint')
  const chosen = await host.choose(
    'Forks',
    rows.map(({ session, depth }) => ({
      label: `${'  '.repeat(depth)}${depth === 0 ? '' : '└ '}${session.name || session.summary || '(no name)'}${session.id === id ? ' ← here' : ''}`,
      detail: `${session.id.slice(0, 8)} · ${ago(session.modifiedAt, host.now())}`,
      value: session.id,
    })),
  )
  if (chosen !== undefined && chosen !== id) await host.open(chosen)
})

export const timeCommands: readonly Command[] = [
  {
    name: 'undo',
    arguments: '[turns] [conversation]',
    help: 'take the last turn back, with the files it changed, or the conversation alone',
    run: undo,
  },
  { name: 'redo', help: 'bring back what was taken back, files too', run: redo },
  { name: 'rewind', help: 'choose a message to go back to', run: rewind },
  { name: 'fork', arguments: '[name]', help: 'go on in a copy of this session', run: fork },
  { name: 'tree', help: 'the forks of this session', run: tree },
]
