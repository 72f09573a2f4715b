/** Whether a command is a program that the system would find. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** A relative entry of PATH would be a folder of whatever project this is. */
export function onPath(command: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  return folders.map((folder) => join(folder, command)).find(isProgram)
}

export const isOnPath = (command: string, env: NodeJS.ProcessEnv = process.env): boolean =>
  onPath(command, env) !== undefined

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Missing, or not for this user to run.
    return false
  }
}
