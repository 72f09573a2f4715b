/** What a command of the table works with on the command line. */
import { homedir } from 'node:os'
import type { CommandContext } from '../../commands/command.ts'
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import { cacheFolder } from '../../lib/cache-folder.ts'
import type { Board } from '../../store/board.ts'
import { ask } from './ask.ts'
import type { Cli, Given, Program } from './command.ts'
import { takesSession } from './find-command.ts'
import { tellWorking } from './progress.ts'
import { markdownLines } from './render/markdown.ts'
import { yellow } from './render/span.ts'

type Around = Pick<CommandContext, 'table'> & {
  /** The one that is meant, or how to find it when it is first asked for. */
  readonly session: SessionId | (() => Promise<Session>) | undefined
}

export async function withContext<T>(
  cli: Cli,
  given: Given,
  { table, session }: Around,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const engine = await cli.engine()
  using board = laterBoard(cli)
  const seconds = given.whole('wait', 0)
  let open: Promise<Session> | undefined
  return work({
    engine,
    cwd: cli.cwd,
    now: cli.now,
    call: callOn(cli.program, typeof session === 'string' ? session : undefined),
    table,
    session: () => (open ??= typeof session === 'function' ? session() : openOne(cli, session)),
    store: cli.store,
    board: board.open,
    redactor: () => cli.host.openRedactor(cli.home.path),
    far: () => cli.host.openFarStore(cli.home.path),
    cacheFolder: cacheFolder(cli.host.env),
    waiting: { signal: cli.signal, ...(seconds !== undefined && { waitMs: seconds * 1000 }) },
    isAlone: true,
    working: tellWorking(cli),
    ...(cli.canAsk && !cli.json && { confirm: (question) => isYes(cli, question) }),
    machine: { env: cli.host.env, home: homedir() },
    tell: (said) => {
      if (!cli.json) for (const spans of markdownLines(said)) cli.out.line(...spans)
    },
  })
}

const isYes = async (cli: Cli, question: string): Promise<boolean> =>
  /^y(es)?$/i.test(await ask(cli, `${question} [y/N]`))

async function openOne(cli: Cli, id: SessionId | undefined): Promise<Session> {
  if (id !== undefined) return (await cli.engine()).open(id)
  throw new EngineError('invalid', 'No session is named. Nothing was changed.')
}

/** `redo` is `reprise sessions redo` of the same session; what has no place of its own is sent with -p. */
const callOn =
  ({ commands }: Program, id: SessionId | undefined): CommandContext['call'] =>
  (name, rest = '') => {
    const places = [name, `sessions ${name.replace(/^session /, '')}`, `${name} list`]
    const placed = commands.find((row) => places.includes(row.name))
    const isOfSession = placed === undefined || ('of' in placed && takesSession(placed))
    const of = isOfSession ? (id?.slice(0, 8) ?? '<session>') : ''
    const words =
      placed === undefined
        ? [`--resume ${of}`, `-p "/${`${name} ${rest}`.trim()}"`]
        : [placed.name, of, rest]
    return ['reprise', ...words].filter(Boolean).join(' ')
  }

/** Opened when it is first asked for. */
export function laterBoard(cli: Cli): Disposable & { open(): Promise<Board> } {
  let board: Board | undefined
  return {
    async open() {
      const { fs } = await cli.engine()
      const [redactor, { openBoard }] = await Promise.all([
        cli.host.openRedactor(cli.home.path),
        import('../../store/board.ts'),
      ])
      return (board ??= openBoard(fs, {
        cacheFolder: cacheFolder(cli.host.env),
        now: cli.now,
        redact: (text) => redactor.redactText(text).text,
        onTrouble: (message) => cli.out.note(yellow(message)),
      }))
    },
    [Symbol.dispose]: () => board?.close(),
  }
}
