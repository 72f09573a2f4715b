/** Watches the system calls of a running process, and lets one of them fail or be the last. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Why this machine cannot, or false: for `skip`. */
export const cannotTrace: string | false = whyNot()

/** Everything by which a process changes what is on a disk, or tells somebody about it. */
export const CALLS =
  'openat,mkdir,mkdirat,write,pwrite64,writev,pwritev,pwritev2,fdatasync,fsync,ftruncate,' +
  'rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,' +
  'chmod,fchmod,fchmodat,copy_file_range,sendfile'

export type Call = {
  readonly name: string
  readonly args: string
  /** -1 and an error name for a failure; undefined when the process ended in it. */
  readonly result: number | undefined
  /** Counted for each thread and name, from 1: what `when` counts. */
  readonly nth: number
  /** The place in the trace at which it returned. */
  readonly endedAt: number
}

export type Tracing = { readonly ended: Promise<unknown> }

/** Resolves when every thread of the process is watched. `inject` as strace spells it: `fdatasync:error=EIO:when=3`. */
export async function attach(
  pid: number,
  output: string,
  inject: readonly string[] = [],
): Promise<Tracing> {
  const args = ['-f', '-y', '-s', '65536', '-o', output, '-e', `trace=${CALLS}`]
  const strace = spawn(
    'strace',
    [...args, ...inject.flatMap((fault) => ['-e', `inject=${fault}`]), '-p', String(pid)],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const ended = once(strace, 'close')
  let said = ''
  const { promise: attached, resolve } = Promise.withResolvers<void>()
  strace.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.includes('attached')) resolve()
  })
  const failed = ended.then(() => {
    if (!said.includes('attached')) throw new Error(`strace could not attach: ${said}`)
  })
  await Promise.race([attached, failed])
  return { ended }
}

export async function readTrace(output: string): Promise<readonly Call[]> {
  const calls: Call[] = []
  const counts = new Map<string, number>()
  const unfinished = new Map<string, { name: string; args: string; nth: number }>()
  const lines = (await readFile(output, 'utf8')).split('\n')
  for (const [endedAt, line] of lines.entries()) {
    const resumed = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/.exec(line)
    const begun = /^(\d+) +(\w+)\((.*)$/.exec(line)
    if (resumed !== null) {
      const [, thread = '', , rest = ''] = resumed
      const call = unfinished.get(thread)
      unfinished.delete(thread)
      if (call !== undefined)
        calls.push({ ...call, args: call.args + rest, result: resultOf(rest), endedAt })
    } else if (begun !== null) {
      const [, thread = '', name = '', rest = ''] = begun
      const nth = (counts.get(`${thread} ${name}`) ?? 0) + 1
      counts.set(`${thread} ${name}`, nth)
      if (rest.endsWith('<unfinished ...>')) unfinished.set(thread, { name, args: rest, nth })
      else calls.push({ name, args: rest, result: resultOf(rest), nth, endedAt })
    }
  }
  return calls
}

function resultOf(rest: string): number | undefined {
  const result = / = (-?\d+)[^=]*$/.exec(rest)?.[1]
  return result === undefined ? undefined : Number(result)
}

function whyNot(): string | false {
  if (process.platform !== 'linux') return 'strace is for Linux'
  if (spawnSync('strace', ['-V']).error !== undefined) return 'strace is not installed'
  if (spawnSync('strace', ['-o', '/dev/null', 'true']).status !== 0)
    return 'this system lets no process be traced'
  return process.getuid?.() === 0 || mayAttach()
    ? false
    : 'only root may attach to a running process here'
}

function mayAttach(): boolean {
  try {
    return readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim() === '0'
  } catch {
    return true
  }
}
