/** Where the program works: the directory of the process, or another one that is named. */
import { realpathSync, statSync } from 'node:fs'

/** Without links, as the system names the directory of a process. Undefined when it is not there. */
export function findDirectory(given: string | undefined): string | undefined {
  if (given === undefined) return process.cwd()
  try {
    return statSync(given).isDirectory() ? realpathSync(given) : undefined
  } catch {
    // Missing, or in a folder that may not be entered: the caller says that it is not there.
    return undefined
  }
}
