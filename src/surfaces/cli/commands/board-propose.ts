/** `board propose`: what a session learned that the next ones should know. Only with --add does it go on the board. */
import { EngineError } from '../../../engine/errors.ts'
import { cacheFolder } from '../../../lib/cache-folder.ts'
import type { NewEntry } from '../../../store/board-rules.ts'
import { StoreUnavailable, connect } from '../../../store/connection.ts'
import { proposeEntries, readSessionRows } from '../../../store/propose-entries.ts'
import { sqlOf } from '../../../store/sql.ts'
import { withBoard } from '../board.ts'
import type { Cli, Run } from '../command.ts'
import { findSession } from '../find-session.ts'
import { counted } from '../render/size.ts'
import { bold, dim } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const proposed = await proposalsOf(cli, id)
  const add = given.flag('add')
  if (add) {
    await withBoard(cli, async (board) => {
      for (const entry of proposed) await board.add(entry)
    })
  }
  if (cli.json) {
    cli.out.json({ proposed, added: add })
    return
  }
  for (const { name, src, description = '', content } of proposed) {
    cli.out.line(bold(name), dim(`  by ${src} · ${description}`))
    for (const line of content.split('\n')) cli.out.line('  ', line)
  }
  if (proposed.length === 0) cli.out.line('Nothing in this session asks to be kept.')
  else if (add) cli.out.line(`${counted(proposed.length, 'entry', 'entries')} added.`)
  else cli.out.line(dim(`reprise board propose ${id.slice(0, 8)} --add puts them on the board.`))
}

async function proposalsOf(cli: Cli, id: string): Promise<NewEntry[]> {
  const { fs } = await cli.engine()
  const connection = connect(fs, { cacheFolder: cacheFolder(cli.host.env) })
  try {
    await (await cli.store()).catchUp({ signal: cli.signal })
    const rows = await connection.use((db) => readSessionRows(sqlOf(db), id))
    if (rows !== undefined) return proposeEntries(rows)
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause
    throw new EngineError('busy', cause.message, { cause })
  } finally {
    connection.close()
  }
  throw new EngineError(
    'not_found',
    `The session store does not know ${id}. "reprise reindex" reads it in.`,
  )
}
