/** `control …`: serves Mission Control, and does at its own shell what needs no server. */
import { defined } from '../../../lib/defined.ts'
import { usage, type Cli, type Given, type Loaded, type Run } from '../command.ts'
import type {
  ControlPlace,
  ControlVisit,
  controlOptions,
  controlRestoreOptions,
  controlRetentionOptions,
  controlServeOptions,
  controlTokenOptions,
} from '../control.ts'
import { exitCodes } from '../exit-codes.ts'
import { bold, dim } from '../render/span.ts'
import { table } from '../render/table.ts'

export const serve: Loaded = {
  isServer: true,
  run: ({ host, home, cwd, signal, json, out }, given) =>
    host.serveControl({
      ...given.all<typeof controlServeOptions>(),
      home,
      cwd,
      signal,
      json,
      print: (line) => out.block(line),
    }),
}

const visit = <T>(
  cli: Cli,
  given: Given,
  work: (visit: ControlVisit) => Promise<T>,
  more: Pick<ControlPlace, 'tenant' | 'isFounder' | 'backup'> = {},
): Promise<T> => {
  const { data, database, tenant } = given.all<typeof controlOptions>()
  const place: ControlPlace = {
    home: cli.home,
    cwd: cli.cwd,
    ...more,
    ...defined({ data, database, tenant }),
  }
  return cli.host.visitControl(place, work)
}

/** What is done before a server was ever started makes its database. */
const FOUNDER = { isFounder: true }

export const token: Run = async (cli, given) => {
  const action = given.word(0)
  if (action === 'create') return createToken(cli, given)
  if (action === 'list') return list(cli, 'tokens', await visit(cli, given, (at) => at.tokens()))
  const id = given.word(1)
  if (action !== 'revoke' || id === undefined)
    throw usage('control token wants create, list, or revoke with the id of a token.')
  await visit(cli, given, (at) => at.revokeToken(id))
  if (cli.json) cli.out.json({ revoked: id })
  else cli.out.line(`The token ${id} is of no use any more.`)
}

async function createToken(cli: Cli, given: Given): Promise<void> {
  const { name, scope, person, machine, days } = given.all<typeof controlTokenOptions>()
  if (!name?.trim() || scope === undefined) throw usage('A token needs --name and --scope.')
  const wish = { name, scope, ...defined({ person, machine, days }) }
  const made = await visit(cli, given, (at) => at.createToken(wish), FOUNDER)
  if (cli.json) return cli.out.json(made)
  cli.out.line(bold(made.token))
  cli.out.line(dim('It is shown this once. Keep it where only its machine reads it.'))
}

export const people: Run = async (cli, given) => {
  const id = given.text('rename')
  if (id !== undefined || given.has('name')) return renamePerson(cli, given, id)
  const name = given.text('add')
  if (name === undefined) return list(cli, 'people', await visit(cli, given, (at) => at.people()))
  const role = given.text('role') ?? 'member'
  const person = await visit(cli, given, (at) => at.addPerson({ name, role }), FOUNDER)
  if (cli.json) cli.out.json({ person })
  else cli.out.line(`${name} was added as ${role}: ${person['id']}`)
}

async function renamePerson(cli: Cli, given: Given, id: string | undefined): Promise<void> {
  const name = given.text('name')?.trim()
  if (!id || !name) throw usage('control people --rename wants the id of a person, and --name.')
  await visit(cli, given, (at) => at.renamePerson({ id, name }))
  if (cli.json) cli.out.json({ person: { id, name } })
  else cli.out.line(`${id} is called ${name} from now on.`)
}

export const tenants: Run = async (cli, given) => {
  const id = given.text('add')
  if (id === undefined) return list(cli, 'tenants', await visit(cli, given, (at) => at.tenants()))
  const name = given.text('name') ?? id
  const { code } = await visit(cli, given, (at) => at.addTenant({ id, name }), {
    ...FOUNDER,
    tenant: id,
  })
  if (cli.json) return cli.out.json({ tenant: { id, name }, code, fragment: `#code=${code}` })
  cli.out.line(`The tenant ${id} was added. Its first owner comes in, once, within a day, by:`)
  cli.out.line(bold(`reprise remote login '<address of the server>/#code=${code}'`))
}

export const sessions: Run = async (cli, given) =>
  list(cli, 'sessions', await visit(cli, given, (at) => at.sessions()))

export const tasks: Run = async (cli, given) =>
  list(cli, 'tasks', await visit(cli, given, (at) => at.tasks()))

export const workers: Run = async (cli, given) =>
  list(cli, 'workers', await visit(cli, given, (at) => at.workers()))

export const retention: Run = async (cli, given) => {
  const options = given.all<typeof controlRetentionOptions>()
  const { keepDays, trashDays, eventsPerDay, bytesPerDay, sessions: most } = options
  const wish = defined({ keepDays, trashDays, eventsPerDay, bytesPerDay, sessions: most })
  const how = { isAnew: options.unlimited === true, run: options.run === true }
  const set = await visit(cli, given, (at) => at.retention(wish, how))
  if (cli.json) return cli.out.json(set)
  for (const [name, value] of Object.entries(set)) cli.out.line(dim(`${name} `), String(value))
}

export const backup: Run = async (cli, given) => {
  const file = given.word(0)
  if (file === undefined) throw usage('control backup wants a file.')
  const done = await visit(cli, given, (at) => at.backup(file))
  if (cli.json) cli.out.json({ file, ...done })
  else cli.out.line(`${done.rows} rows were written to ${file}.`)
}

export const restore: Run = async (cli, given) => {
  const file = given.word(0)
  if (!file) throw usage('control restore wants a file.')
  const { replace } = given.all<typeof controlRestoreOptions>()
  const how = { replace: replace === true }
  const done = await visit(cli, given, (at) => at.restore(file, how), {
    ...FOUNDER,
    backup: file,
  })
  if (cli.json) cli.out.json({ file, ...done })
  else cli.out.line(`${done.rows} rows were restored, ${done.forgotten} sessions forgotten again.`)
}

export const doctor: Run = async (cli, given) => {
  const found = await visit(cli, given, (at) => at.doctor())
  if (cli.json) cli.out.json(found)
  else
    for (const [name, value] of Object.entries(found)) cli.out.line(dim(`${name} `), String(value))
  return found['holes'] === 0 ? 0 : exitCodes.corrupt
}

function list(
  cli: Cli,
  name: string,
  rows: readonly Readonly<Record<string, string | number | null>>[],
): void {
  if (cli.json) return cli.out.json({ [name]: rows })
  if (rows.length === 0) cli.out.line(`There are no ${name}.`)
  const heads = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => heads.map((head) => shown(head, row[head] ?? null)))
  const lines = [heads.map((head) => dim(head)), ...cells]
  if (rows.length > 0)
    for (const line of table(lines, { columns: cli.out.columns, shrink: heads.length - 1 }))
      cli.out.line(...line)
}

const TIMES = ['made', 'changed', 'heard', 'used', 'ends', 'ended', 'revoked']

const shown = (head: string, value: string | number | null): string =>
  typeof value === 'number' && TIMES.includes(head)
    ? new Date(value).toISOString()
    : String(value ?? '-')
