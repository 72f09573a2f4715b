/** Whether a directory is there. One that cannot be looked at counts as missing: nothing can be done in it. */
import { stat } from 'node:fs/promises'

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
