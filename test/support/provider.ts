/** A client that keeps files in a folder, as an embedder of the Copilot SDK would: errors are values, text or bytes. */
import { appendFile, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ClientCalls } from '../../src/fs/client-calls.ts'

type Params = {
  readonly path: string
  readonly content: string
  readonly src: string
  readonly dest: string
}

export type ProviderOptions = {
  readonly conventions: 'posix' | 'windows'
  /** As it is given to the other side. */
  readonly sessionStatePath: string
}

export function folderProvider(folder: string, options: ProviderOptions): ClientCalls {
  const { conventions, sessionStatePath } = options
  const place = (path: string): string => {
    if (!path.startsWith(sessionStatePath)) throw new Error(`${path} is not of this provider`)
    const inner = path.slice(sessionStatePath.length)
    if (conventions === 'windows' && inner.includes('/')) throw new Error(`a slash in ${path}`)
    return join(folder, conventions === 'windows' ? inner.replaceAll('\\', '/') : inner)
  }
  const methods: Record<string, (params: Params) => Promise<unknown>> = {
    readFile: async ({ path }) => ({ content: await readFile(place(path), 'utf8') }),
    readFileBytes: async ({ path }) => ({ content: await readFile(place(path), 'base64') }),
    writeFile: async ({ path, content }) => void (await writeFile(place(path), content)),
    writeFileBytes: async ({ path, content }) =>
      void (await writeFile(place(path), Buffer.from(content, 'base64'))),
    appendFile: async ({ path, content }) => void (await appendFile(place(path), content)),
    exists: async ({ path }) => ({ exists: await there(place(path)) }),
    stat: async ({ path }) => {
      const found = await stat(place(path))
      return {
        isFile: found.isFile(),
        isDirectory: found.isDirectory(),
        size: found.size,
        mtime: found.mtime.toISOString(),
        birthtime: found.birthtime.toISOString(),
      }
    },
    mkdir: async ({ path }) => void (await mkdir(place(path), { recursive: true })),
    readdir: async ({ path }) => ({ entries: await readdir(place(path)) }),
    readdirWithTypes: async ({ path }) => {
      const entries = await readdir(place(path), { withFileTypes: true })
      return {
        entries: entries.map((entry) => ({
          name: entry.name,
          type: entry.isDirectory() ? 'directory' : 'file',
        })),
      }
    },
    rm: async ({ path }) => void (await rm(place(path), { recursive: true, force: true })),
    rename: async ({ src, dest }) => void (await rename(place(src), place(dest))),
  }
  return async (method, params) => {
    try {
      return await methods[method]!(params as Params)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const failure = { code: code === 'ENOENT' ? 'ENOENT' : 'UNKNOWN', message }
      return method.startsWith('read') || method === 'stat' ? { error: failure } : failure
    }
  }
}

const there = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** A client that runs the statements of its one session, in memory. */
export function sqliteProvider(): { readonly calls: ClientCalls; dispose(): void } {
  let database: DatabaseSync | undefined
  const run = (kind: string, sql: string) => {
    database ??= new DatabaseSync(':memory:')
    if (kind === 'exec') database.exec(sql)
    if (kind === 'exec') return { rows: [], columns: [], rowsAffected: 0 }
    const statement = database.prepare(sql)
    const columns = statement.columns().map(({ name }) => name)
    if (kind === 'query') return { rows: statement.all(), columns, rowsAffected: 0 }
    return { rows: [], columns: [], rowsAffected: Number(statement.run().changes) }
  }
  return {
    calls: async (method, { queryType, query }) => {
      if (method === 'sqliteExists') return { exists: database !== undefined }
      if (method === 'sqliteQuery') return run(String(queryType), String(query))
      throw new Error(`not offered: ${method}`)
    },
    dispose: () => database?.close(),
  }
}
