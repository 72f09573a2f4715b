/** A PostgreSQL of its own with nodes of the built Mission Control on it, and the bare engine to compare them with. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { makeToken, serveProgram, type ServedProgram } from '../test/control/program.ts'
import { startPostgres } from '../test/support/postgres.ts'

export async function openStage(nodes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-bench-control-'))
  const engine = await startPostgres({ settings: ['shared_buffers=256MB', 'max_wal_size=4GB'] })
  const url = await engine.database()
  const env = { ...process.env, REPRISE_HOME: folder }
  const place = ['--database', url]
  const token = await makeToken(place, env)
  const served: ServedProgram[] = []
  for (let at = 0; at < nodes; at++) served.push(await serveProgram(place, env, 0))
  const sql = postgres(url, { max: 1, onnotice() {} })
  return {
    token,
    nodes: served.map((node) => node.url),
    sql,
    /** Of all nodes together. */
    memoryMb: (): number => served.reduce((sum, { pid }) => sum + residentMb(pid), 0),
    async [Symbol.asyncDispose]() {
      await sql.end()
      for (const node of served) await node.kill()
      await engine[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Stage = Awaited<ReturnType<typeof openStage>>

function residentMb(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1024
}

const LINE = JSON.stringify({ type: 'assistant.message', data: { content: 'x'.repeat(260) } })

/** Appends of so many rows that one connection commits alone, in so many a commit: acknowledged appends a second. */
export async function bareAppends(
  { sql }: Pick<Stage, 'sql'>,
  { events, together, seconds }: { events: number; together: number; seconds: number },
): Promise<number> {
  await sql`create table if not exists bare (stream text, seq bigint, id text, line text,
    primary key (stream, seq))`
  await sql`create unique index if not exists bare_by_id on bare (stream, id)`
  const run = crypto.randomUUID()
  const began = performance.now()
  let done = 0
  while (performance.now() - began < seconds * 1000) {
    const rows = Array.from({ length: together * events }, (_, at) => {
      const seq = done * events + at
      return { stream: `${run}-${at % together}`, seq, id: `${seq}`, line: LINE }
    })
    await sql`insert into bare ${sql(rows)}`
    done += together
  }
  return (done * 1000) / (performance.now() - began)
}
