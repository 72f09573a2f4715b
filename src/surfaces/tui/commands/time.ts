/** Back and forth in time: /undo, /redo, /rewind, /fork, /tree. */
import type { EventId, SessionId } from '../../../format/ids.ts'
import type { RewindMode, RewindPreview, RewindResult } from '../../../engine/time/rewind.ts'
import { forkTree } from '../../../state/fork-tree.ts'
import { ago } from '../view/text.ts'
import { counted, inSession } from './command.ts'
import type { Choice, Command, Desk } from './command.ts'

const undo = inSession(async (desk, id, rest) => {
  const turns = rest === '' ? 1 : Number(rest)
  if (!Number.isInteger(turns) || turns < 1)
    return desk.say(`/undo wants a number, not "${rest}".`, 'bad')
  const point = (await (await desk.engine.open(id)).rewindPoints())[turns - 1]
  if (point === undefined) return desk.say('There is nothing to undo.', 'faint')
  const { files } = await (await desk.engine.open(id)).previewRewind(point.eventId)
  await goBack(
    desk,
    id,
    point.eventId,
    files.length > 0 ? 'conversation-and-files' : 'conversation',
  )
})

const redo = inSession(async (desk, id) => {
  const { eventsRestored, restoredFiles } = await (await desk.engine.open(id)).redo()
  const files = restoredFiles.length === 0 ? '' : ` and ${counted(restoredFiles.length, 'file')}`
  desk.say(`Redone: ${counted(eventsRestored, 'event')}${files} came back.`, 'good')
  await desk.refresh()
})

const rewind = inSession(async (desk, id) => {
  const points = await (await desk.engine.open(id)).rewindPoints()
  if (points.length === 0) return desk.say('There is nothing to go back to yet.', 'faint')
  const choices = points.map(({ index, preview, at, eventId }) => ({
    label: `${index + 1}. ${preview}`,
    detail: ago(at, desk.now()),
    value: eventId,
  }))
  const eventId = await desk.choose('Go back to before which message?', choices, async (value) =>
    previewLines(await (await desk.engine.open(id)).previewRewind(value)),
  )
  if (eventId === undefined) return
  const preview = await (await desk.engine.open(id)).previewRewind(eventId)
  const mode = await chooseMode(desk, preview)
  if (mode !== undefined) await goBack(desk, id, eventId, mode)
})

async function chooseMode(desk: Desk, preview: RewindPreview): Promise<RewindMode | undefined> {
  const what = `${counted(preview.turnsRemoved, 'turn')}, ${counted(preview.eventsRemoved, 'event')}`
  const talk: Choice<RewindMode> = { label: 'conversation', detail: what, value: 'conversation' }
  if (preview.files.length === 0) {
    return (await desk.confirm(`Take back ${what}? /redo brings it back.`))
      ? 'conversation'
      : undefined
  }
  const both: Choice<RewindMode> = {
    label: 'conversation and files',
    detail: `${what}; ${preview.files.map(({ path }) => path).join(', ')}`,
    value: 'conversation-and-files',
  }
  return desk.choose('Take back what?', [both, talk])
}

function previewLines({ turnsRemoved, eventsRemoved, files }: RewindPreview): string[] {
  const verdicts = {
    restore: '',
    already: ' (is so already)',
    drifted: ' (changed since: left alone)',
    notCovered: ' (not recorded)',
  }
  return [
    `takes back ${counted(turnsRemoved, 'turn')}, ${counted(eventsRemoved, 'event')}`,
    ...files.map(
      ({ path, change, verdict, linesAdded, linesRemoved }) =>
        `${change} ${path} +${linesAdded} -${linesRemoved}${verdicts[verdict]}`,
    ),
  ]
}

async function goBack(
  desk: Desk,
  id: SessionId,
  eventId: EventId,
  mode: RewindMode,
): Promise<void> {
  const prompt = await promptAt(desk, id, eventId)
  const result = await (await desk.engine.open(id)).rewind(eventId, { mode })
  desk.write(prompt)
  desk.say(told(result), 'good')
  await desk.refresh()
}

function told({ turnsRemoved, restoredFiles, skippedFiles }: RewindResult): string {
  const parts = [`Took back ${counted(turnsRemoved, 'turn')}. /redo brings it back.`]
  if (restoredFiles.length > 0) parts.push(`Files restored: ${restoredFiles.join(', ')}.`)
  if (skippedFiles.length > 0)
    parts.push(`Left alone, changed since: ${skippedFiles.map(({ path }) => path).join(', ')}.`)
  return parts.join('\n')
}

/** The whole message, which a list shows only the beginning of. */
async function promptAt(desk: Desk, id: SessionId, eventId: EventId): Promise<string> {
  const { events } = await (
    await desk.engine.open(id)
  ).events({ direction: 'backward', limit: 2000 })
  const event = events.find((each) => each.id === eventId)
  return event !== undefined && !('stranger' in event) && event.type === 'user.message'
    ? event.data.content
    : ''
}

const fork = inSession(async (desk, id, name) => {
  const forked = await (await desk.engine.open(id)).fork(name === '' ? {} : { name })
  await desk.open(forked.sessionId)
  desk.say(
    `This is "${forked.name}", forked from ${id.slice(0, 8)}. The other one is as it was.`,
    'good',
  )
})

const tree = inSession(async (desk, id) => {
  const rows = forkTree(await desk.engine.list(), id)
  if (rows.length < 2) return desk.say('This session has no forks. /fork makes one.', 'faint')
  const chosen = await desk.choose(
    'Forks',
    rows.map(({ session, depth }) => ({
      label: `${'  '.repeat(depth)}${depth === 0 ? '' : '└ '}${session.name || session.summary || '(no name)'}${session.id === id ? ' ← here' : ''}`,
      detail: `${session.id.slice(0, 8)} · ${ago(session.modifiedAt, desk.now())}`,
      value: session.id,
    })),
  )
  if (chosen !== undefined && chosen !== id) await desk.open(chosen)
})

export const timeCommands: readonly Command[] = [
  {
    name: 'undo',
    arguments: '[turns]',
    help: 'take the last turn back, with the files it changed',
    run: undo,
  },
  { name: 'redo', help: 'bring back what was taken back', run: redo },
  { name: 'rewind', help: 'choose a message to go back to', run: rewind },
  { name: 'fork', arguments: '[name]', help: 'go on in a copy of this session', run: fork },
  { name: 'tree', help: 'the forks of this session', run: tree },
]
