/** Opens the store, the board and the redactor of a home: each when it is first asked for, once. */
import type { SessionFs } from '../fs/session-fs.ts'
import { defined } from '../lib/defined.ts'
import { cacheFolder } from '../lib/cache-folder.ts'
import type { Board } from '../store/board.ts'
import type { HomeServices } from '../store/home-services.ts'
import type { Store } from '../store/store.ts'

/** `close` ends what was opened here; a store that is handed in stays with its owner. */
export function openHomeServices({
  home,
  env = process.env,
  onTrouble = () => {},
  store: given,
}: {
  readonly home: string
  readonly env?: NodeJS.ProcessEnv
  readonly onTrouble?: (message: string) => void
  readonly store?: () => Promise<Store>
}): HomeServices & { close(): Promise<void> } {
  const open = () => import('./open-store.ts')
  let store: Promise<Store> | undefined
  let board: Promise<Board> | undefined
  return {
    store: given ?? (() => (store ??= open().then((it) => it.openStoreAt({ home, onTrouble })))),
    board: () => (board ??= open().then((it) => it.openBoardAt(home))),
    redactor: async () => (await import('./open-redactor.ts')).redactorOf(home),
    far: async () => (await import('./open-far-store.ts')).openFarStoreOf(home, env),
    cacheFolder: cacheFolder(env),
    async close() {
      // What could not be opened has nothing to close; the command that asked was told.
      const [openStore, openBoard] = await Promise.allSettled([store, board])
      if (openBoard.status === 'fulfilled') openBoard.value?.close()
      if (openStore.status === 'fulfilled') await openStore.value?.close()
    },
  }
}

/** The tools with which a model asks the services of a home, for sessions whose files are in `fs`. */
export async function openStoreTools(services: HomeServices, fs: SessionFs) {
  const [{ storeTools }, { writeSessionSql }, { sessionDir }, { detectProject }] =
    await Promise.all([
      import('../agents/tools/store-tools.ts'),
      import('../store/query/session-sql.ts'),
      import('../format/paths.ts'),
      import('../engine/sessions/project.ts'),
    ])
  // Where it is turned off or its settings cannot be read, only this machine is offered.
  const cloud = await services.far?.().catch(() => undefined)
  return storeTools({
    ...services,
    ...defined({ cloud }),
    project: (cwd) => detectProject(cwd),
    sessionSql: (id, query) => writeSessionSql(fs, sessionDir(id), query),
  })
}
