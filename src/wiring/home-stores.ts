/** The store and the board of a home, for whoever runs sessions there: opened when first asked for, once. */
import type { Hook } from '../engine/hook.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import type { StoreParts } from './store-tools.ts'
import { BOARD } from '../store/board-file.ts'
import type { Board } from '../store/board.ts'
import type { Store } from '../store/store.ts'

export function storesAt(fs: SessionFs, home: string): StoreParts {
  let store: Promise<Store> | undefined
  let board: Promise<Board> | undefined
  const open = () => import('./open-store.ts')
  return {
    fs,
    store: () => (store ??= open().then((it) => it.openStoreAt({ home, onTrouble: () => {} }))),
    board: () => (board ??= open().then((it) => it.openBoardAt(home))),
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
