/** Whether there is a directory. One that this user may not see is none. */
import { stat } from 'node:fs/promises'

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false, // as said above
  )
