/** The context board on the command line: which project a command is about, and how an entry looks. */
import { EngineError } from '../../engine/errors.ts'
import { cacheFolder } from '../../lib/cache-folder.ts'
import { defined } from '../../lib/defined.ts'
import { BoardBusy, openBoard } from '../../store/board.ts'
import type { Board } from '../../store/board.ts'
import type { BoardEntry } from '../../store/board-file.ts'
import { BadEntry } from '../../store/board-rules.ts'
import type { BoardScope, NewEntry } from '../../store/board-rules.ts'
import type { Proposal } from '../../store/proposals.ts'
import { usage } from './command.ts'
import type { Cli, Given } from './command.ts'
import { bold, cyan, dim, yellow } from './render/span.ts'
import { counted } from '../../lib/quantities.ts'

/** Who put an entry there, when it was somebody at a terminal. */
export const PERSON = 'person'

export async function withBoard<T>(cli: Cli, work: (board: Board) => Promise<T>): Promise<T> {
  const { fs } = await cli.engine()
  const redactor = await cli.host.openRedactor(cli.home.path)
  const board = openBoard(fs, {
    cacheFolder: cacheFolder(cli.host.env),
    now: cli.now,
    redact: (text) => redactor.redactText(text).text,
    onTrouble: (message) => cli.out.note(yellow(message)),
  })
  try {
    return await work(board)
  } catch (cause) {
    if (cause instanceof BadEntry) throw usage(cause.message)
    if (cause instanceof BoardBusy) throw new EngineError('busy', cause.message, { cause })
    throw cause
  } finally {
    board.close()
  }
}

/** This project, unless another or all are asked for. */
export async function scopeOf(cli: Cli, given: Given): Promise<BoardScope> {
  const branch = given.text('branch')
  if (given.flag('all')) return branch === undefined ? {} : { branch }
  return {
    repository: given.text('repo') ?? (await projectHere(cli)),
    ...defined({ branch }),
  }
}

export async function projectHere(cli: Cli): Promise<string> {
  const { repository, gitRoot, cwd } = await (await cli.engine()).project(cli.cwd)
  return repository ?? gitRoot ?? cwd
}

export function showEntry({ out }: Pick<Cli, 'out'>, entry: BoardEntry): void {
  const { name, src, repository, branch, count, readCount, description, content } = entry
  const where = branch === '' ? repository : `${repository} · ${branch}`
  const uses = `added ${counted(count, 'time')}, read ${counted(readCount, 'time')}`
  out.line(bold(name), dim(`  ${where} · by ${src} · ${uses}`))
  if (description !== '') out.line('  ', dim(description))
  for (const line of content.split('\n')) out.line('  ', line)
}

export function showProposal(
  { out }: Pick<Cli, 'out'>,
  { name, src, description = '', content }: NewEntry,
  id?: string,
): void {
  const before = id === undefined ? [] : [cyan(id), '  ']
  out.line(...before, bold(name), dim(`  by ${src} · ${description}`))
  for (const line of content.split('\n')) out.line('  ', line)
}

/** Those that are named by the beginnings of their ids; with --all, all of this project. */
export async function chooseProposals(
  cli: Cli,
  given: Given,
  board: Board,
): Promise<readonly Proposal[]> {
  const words = given.words(0)
  if (given.flag('all') === words.length > 0) throw usage('Give the ids of proposals, or --all.')
  const repository = given.text('repo') ?? (await projectHere(cli))
  const all = await board.proposals(words.length > 0 ? {} : { repository })
  return words.length === 0 ? all : words.map((word) => onlyOne(all, word))
}

function onlyOne(all: readonly Proposal[], word: string): Proposal {
  const [found, ...others] = all.filter(({ id }) => id.startsWith(word.toLowerCase()))
  if (found !== undefined && others.length === 0) return found
  const hint = 'Nothing was changed; "reprise board list --all" shows them.'
  if (found === undefined)
    throw new EngineError('not_found', `No proposal has the id "${word}". ${hint}`)
  throw new EngineError('ambiguous', `Several proposals begin with "${word}". ${hint}`)
}
