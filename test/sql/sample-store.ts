/** A small session store in a folder of its own: two repositories, two sessions, three turns. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openDisk } from '../../src/fs/disk.ts'
import type { SessionFs } from '../../src/fs/session-fs.ts'
import { openDatabase } from '../../src/store/open-store.ts'

export const FIRST = '11111111-1111-4111-8111-111111111111'
export const SECOND = '22222222-2222-4222-8222-222222222222'

export interface SampleStore extends Disposable {
  readonly folder: string
  readonly fs: SessionFs
  readonly path: string
  /** The writer of the store: it stays open, as in a live process. */
  readonly db: DatabaseSync
}

export async function sampleStore(): Promise<SampleStore> {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-sql-'))
  const fs = openDisk(folder)
  const path = join(folder, 'session-store.db')
  const db = await openDatabase({ fs, path: 'session-store.db', native: path })
  fill(db)
  return {
    folder,
    fs,
    path,
    db,
    [Symbol.dispose]() {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function fill(db: DatabaseSync): void {
  const session = db.prepare(
    "INSERT INTO sessions (id, cwd, repository, branch, summary, created_at, updated_at) VALUES (?, '/work', ?, 'main', ?, ?, ?)",
  )
  session.run(FIRST, 'octo/one', 'Fix the lease', at(1), at(2))
  session.run(SECOND, 'octo/two', 'Write the index', at(3), at(3))
  const turn = db.prepare(
    'INSERT INTO turns (session_id, turn_index, user_message, assistant_response, timestamp) VALUES (?, ?, ?, ?, ?)',
  )
  const document = db.prepare(
    "INSERT INTO search_index (content, session_id, source_type, source_id) VALUES (?, ?, 'turn', ?)",
  )
  for (const [id, index, user, assistant] of TURNS) {
    turn.run(id, index, user, assistant, at(index + 1))
    document.run(`${user}\n${assistant}`, id, `${id}:turn:${index}`)
  }
}

const TURNS = [
  [FIRST, 0, 'the lease test hangs', 'It waits for a lock.'],
  [FIRST, 1, 'mend it', 'Done: the lease is given back.'],
  [SECOND, 0, 'index the secret plan', 'Indexed.'],
] as const

const at = (minute: number) => `2026-01-02T10:0${minute}:00.000Z`
