/** What the board of a project holds for its next session. */
import type { SessionFs } from '../fs/session-fs.ts'
import { defined } from '../lib/defined.ts'
import { BOARD } from './board-file.ts'
import type { HomeServices } from './home-services.ts'

const BOARD_TOKENS = 1_500

export type BoardProject = {
  readonly cwd: string
  readonly gitRoot?: string
  readonly repository?: string
  readonly branch?: string
}

/** A project without a remote has a board by its folder. */
export const boardScope = ({ cwd, gitRoot, repository, branch }: BoardProject) => ({
  repository: repository ?? gitRoot ?? cwd,
  ...defined({ branch }),
})

/** Undefined when there is nothing to know. Nothing is opened where no board was ever written. */
export async function boardNote(
  fs: SessionFs,
  { board }: Pick<HomeServices, 'board'>,
  project: () => Promise<BoardProject>,
): Promise<string | undefined> {
  if ((await fs.stat(BOARD)) === undefined) return undefined
  return (await board()).context(boardScope(await project()), BOARD_TOKENS)
}
