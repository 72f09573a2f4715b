/** What can be asked of and done with sessions as a whole: /session, /resume, /new, /exit. */
import type { SessionId } from '../../../format/ids.ts'
import { ago, size } from '../view/text.ts'
import { counted, inSession } from './command.ts'
import type { Command, CommandHost } from './command.ts'

type Word = {
  readonly help: string
  readonly run: (host: CommandHost, rest: string) => Promise<void>
}

const info = inSession(async (host, id) => {
  const [about, state] = await Promise.all([
    (await host.engine.open(id)).metadata(),
    (await host.engine.open(id)).state(),
  ])
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['id', id],
    ['name', about.name],
    ['folder', about.path],
    ['directory', about.cwd],
    ['branch', about.branch],
    ['model', state.model],
    ['mode', state.mode],
    ['turns', String(state.turns.length)],
    ['events', String(state.eventCount)],
    ['size', size(about.folderBytes)],
    ['checkpoints', String(about.checkpoints)],
    ['rewinds kept', String(about.rewound)],
    [
      'open in',
      about.holder === undefined ? undefined : `pid ${about.holder.pid} on ${about.holder.host}`,
    ],
  ]
  const lines = rows.flatMap(([what, value]) =>
    value === undefined ? [] : [`- **${what}** ${code(value)}`],
  )
  host.page('Session', lines.join('\n'))
})

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``

const checkpoints = inSession(async (host, id, rest) => {
  if (rest !== '') {
    const number = Number(rest)
    if (!Number.isInteger(number))
      return host.say(`A checkpoint has a number, not "${rest}".`, 'bad')
    return host.page(
      `Checkpoint ${number}`,
      await (await host.engine.open(id)).readCheckpoint(number),
    )
  }
  const all = await (await host.engine.open(id)).checkpoints()
  if (all.length === 0) return host.say('There are no checkpoints: /compact makes one.', 'faint')
  const chosen = await host.choose(
    'Checkpoints',
    all.map(({ number, title }) => ({
      label: title,
      detail: `checkpoint ${number}`,
      value: number,
    })),
  )
  if (chosen !== undefined)
    host.page(`Checkpoint ${chosen}`, await (await host.engine.open(id)).readCheckpoint(chosen))
})

const files = inSession(async (host, id) => {
  const all = await (await host.engine.open(id)).files()
  if (all.length === 0) return host.say('This session keeps no files.', 'faint')
  const chosen = await host.choose(
    'Files of this session',
    all.map(({ path, size: bytes }) => ({ label: path, detail: size(bytes), value: path })),
  )
  if (chosen === undefined) return
  const bytes = await (await host.engine.open(id)).readFile(chosen)
  const text = new TextDecoder().decode(bytes.subarray(0, 100_000))
  host.page(chosen, `~~~~\n${text}\n~~~~`)
})

const plan = inSession(async (host, id) => {
  const text = await (await host.engine.open(id)).readPlan()
  if (text === undefined) host.say('There is no plan. The agent writes one in /mode plan.', 'faint')
  else host.page('Plan', text)
})

const rename = inSession(async (host, id, rest) => {
  const name = rest === '' ? await host.ask('The new name') : rest
  if (name === undefined || name.trim() === '') return
  host.say(`Renamed to "${await (await host.engine.open(id)).rename(name)}".`, 'good')
  await host.refresh()
})

async function prune(host: CommandHost, rest: string): Promise<void> {
  const olderThanDays = rest === '' ? 30 : Number(rest)
  if (!(olderThanDays >= 0)) return host.say(`The age is a number of days, not "${rest}".`, 'bad')
  const current = host.session()
  const options = {
    olderThanDays,
    keepNamed: true,
    ...(current !== undefined && { keep: [current] }),
  }
  const found = await host.engine.prune({ ...options, dryRun: true })
  if (found.sessions.length === 0)
    return host.say(`No session without a name is older than ${olderThanDays} days.`, 'faint')
  const what = `${counted(found.sessions.length, 'session')} older than ${olderThanDays} days, ${size(found.bytes)}`
  if (!(await host.confirm(`Move to the trash: ${what}? /session trash brings one back.`))) return
  const done = await host.engine.prune({ ...options, dryRun: false })
  host.say(`Moved to the trash: ${counted(done.sessions.length, 'session')}.`, 'good')
}

const remove = inSession(async (host, id) => {
  if (!(await host.confirm('Delete this session? It stays in the trash for 30 days.'))) return
  await host.open(undefined)
  await removeAll(host, [id])
})

async function deleteAll(host: CommandHost): Promise<void> {
  const sessions = await host.engine.list()
  if (sessions.length === 0) return host.say('There are no sessions.', 'faint')
  const sure = await host.ask(
    `Delete all ${counted(sessions.length, 'session')}? Type "delete all" to go on.`,
  )
  if (sure?.trim() !== 'delete all') return host.say('Nothing was deleted.', 'faint')
  await host.open(undefined)
  await removeAll(
    host,
    sessions.map(({ id }) => id),
  )
}

export async function removeAll(host: CommandHost, ids: readonly SessionId[]): Promise<void> {
  const removals = await host.engine.remove(ids)
  const kept = removals.flatMap((each) => (each.outcome === 'kept' ? [each.error.message] : []))
  host.say(`Moved to the trash: ${counted(removals.length - kept.length, 'session')}.`, 'good')
  for (const message of kept) host.say(message, 'bad')
}

async function trash(host: CommandHost): Promise<void> {
  const deleted = await host.engine.trash()
  if (deleted.length === 0) return host.say('The trash is empty.', 'faint')
  const id = await host.choose(
    'Bring back which session?',
    deleted.map((each) => ({
      label: each.title || each.id.slice(0, 8),
      detail: `deleted ${ago(each.deletedAt.toISOString(), host.now())}`,
      value: each.id,
    })),
  )
  if (id === undefined) return
  await host.open(await host.engine.restore(id))
  host.say('It is back.', 'good')
}

const words: Readonly<Record<string, Word>> = {
  info: { help: 'what is known about this session', run: info },
  checkpoints: { help: 'its checkpoints; with a number, one of them', run: checkpoints },
  files: { help: 'the files that it keeps', run: files },
  plan: { help: 'its plan', run: plan },
  rename: { help: 'give it another name', run: rename },
  cleanup: { help: 'move old sessions without a name to the trash, after a look', run: prune },
  prune: { help: 'the same', run: prune },
  delete: { help: 'move it to the trash', run: remove },
  'delete-all': { help: 'move all sessions to the trash', run: deleteAll },
  trash: { help: 'deleted sessions; the chosen one comes back', run: trash },
}

async function session(host: CommandHost, rest: string): Promise<void> {
  const [word = '', ...more] = rest.split(/\s+/)
  if (word === '') return host.pick()
  const known = Object.hasOwn(words, word) ? words[word] : undefined
  if (known !== undefined) return known.run(host, more.join(' '))
  host.say(`/session knows ${Object.keys(words).join(', ')}; not "${word}".`, 'bad')
}

async function resume(host: CommandHost, rest: string): Promise<void> {
  if (rest === '') return host.pick()
  const found = await host.engine.resolve(rest)
  if (found.kind === 'found') return host.open(found.id)
  host.say(`No single session is called "${rest}". /resume without a name shows all.`, 'bad')
}

export const sessionCommands: readonly Command[] = [
  {
    name: 'session',
    arguments: '[word]',
    help: 'choose a session, or look at this one',
    words: Object.entries(words).map(([word, { help }]) => [word, help] as const),
    run: session,
  },
  { name: 'resume', arguments: '[session]', help: 'go on with another session', run: resume },
  { name: 'new', help: 'start a new session', run: (host) => host.open(undefined) },
  { name: 'plan', help: 'show the plan', run: plan },
  { name: 'exit', help: 'leave; everything is kept', run: async (host) => host.quit() },
]
