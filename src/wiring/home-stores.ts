/** The store and the board of a home, for whoever runs sessions there: opened when first asked for, once. */
import type { HomeServices } from '../commands/command.ts'
import type { Hook } from '../engine/hook.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { cacheFolder } from '../lib/cache-folder.ts'
import type { StoreParts } from './store-tools.ts'
import { BOARD } from '../store/board-file.ts'
import type { Board } from '../store/board.ts'
import type { Store } from '../store/store.ts'

const open = () => import('./open-store.ts')

export function storesAt(fs: SessionFs, home: string): StoreParts {
  let store: Promise<Store> | undefined
  let board: Promise<Board> | undefined
  return {
    fs,
    store: () => (store ??= open().then((it) => it.openStoreAt({ home, onTrouble: () => {} }))),
    board: () => (board ??= open().then((it) => it.openBoardAt(home))),
  }
}

/**
 * What commands know over all sessions of a home: each is opened when first asked for; `close` ends what was. A store
 * that is handed in stays with its owner.
 */
export function homeServices(
  home: string,
  env: NodeJS.ProcessEnv,
  given: Partial<Pick<HomeServices, 'store'>> & { onTrouble?(message: string): void },
): HomeServices & { close(): Promise<void> } {
  const { onTrouble = () => {} } = given
  let store: Promise<Store> | undefined
  let board: Promise<Board> | undefined
  return {
    store:
      given.store ?? (() => (store ??= open().then((it) => it.openStoreAt({ home, onTrouble })))),
    board: () => (board ??= open().then((it) => it.openBoardAt(home))),
    redactor: async () => (await import('./open-redactor.ts')).loadRedactorOf(home),
    cacheFolder: cacheFolder(env),
    async close() {
      // What could not be opened has nothing to close; the command that asked was told.
      const [openStore, openBoard] = await Promise.allSettled([store, board])
      if (openBoard.status === 'fulfilled') openBoard.value?.close()
      if (openStore.status === 'fulfilled') await openStore.value?.close()
    },
  }
}

const BOARD_TOKENS = 1_500

/** A new session is told what the board holds about its project; it stands with the first message, so it stays what it was. */
export const boardHook = ({ fs, board }: StoreParts): Hook => ({
  type: 'sessionStart',
  isOurs: true,
  async run({ isNew, cwd }) {
    if (isNew !== true || (await fs.stat(BOARD)) === undefined) return {}
    const { boardPlace } = await import('./store-tools.ts')
    const note = await (await board()).context(await boardPlace(cwd), BOARD_TOKENS)
    return note === undefined ? {} : { note }
  },
})
