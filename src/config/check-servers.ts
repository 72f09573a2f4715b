/** What is wrong with the tool servers of a configuration, as far as it shows without starting one. */
import { resolve } from 'node:path'
import { isFolder } from '../lib/is-folder.ts'
import { isProgram, onPath } from '../lib/on-path.ts'
import { serversIn, type Config, type ServerSettings } from './config-file.ts'

type Around = { readonly env: NodeJS.ProcessEnv; readonly cwd: string }

export async function serverTroubles(config: Config, around: Around): Promise<readonly string[]> {
  const told: string[] = []
  for (const [name, server] of Object.entries(serversIn(config))) {
    const trouble = await troubleOf(server, around)
    if (trouble !== undefined) told.push(`The tool server ${name} cannot come up: ${trouble}.`)
  }
  return told
}

async function troubleOf(
  server: ServerSettings,
  { env, cwd }: Around,
): Promise<string | undefined> {
  if ('url' in server)
    return /^https?:/i.test(server.url) ? undefined : `${server.url} is no address of http or https`
  const folder = resolve(cwd, server.cwd ?? '.')
  if (!(await isFolder(folder))) return `there is no folder ${folder}`
  const { command } = server
  const isThere = command.includes('/')
    ? isProgram(resolve(folder, command))
    : onPath(command, { ...env, ...server.env }) !== undefined
  return isThere ? undefined : `the program "${command}" is not found`
}
