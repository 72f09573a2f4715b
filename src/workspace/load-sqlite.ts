/** Loads SQLite when a database is first opened: the rest of the library runs on a Node that has none. */
export async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  try {
    return await import('node:sqlite')
  } catch (cause) {
    const is = `this is Node ${process.versions.node}`
    throw new Error(`A database needs Node 24, and ${is}. Nothing was changed.`, { cause })
  }
}
