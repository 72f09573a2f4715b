/**
 * Ends test files that outlive their time. The runner itself asks a file to end with SIGTERM, and waits for good when it
 * does not: a browser's driver catches that signal, and whatever a hanging test left open keeps its process alive.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const LOOK_MS = 5_000

type Row = { readonly pid: number; readonly parent: number; readonly command: string }

/** Files are the direct children of this process. `stop` ends the watch. */
export function endOverdueFiles(limitMs: number): { stop(): void } {
  let seen = new Map<string, number>()
  const timer = setInterval(() => void look().catch(giveUp), LOOK_MS)
  return { stop: () => clearInterval(timer) }

  async function look(): Promise<void> {
    const rows = await processes()
    const files = rows.filter(
      ({ parent, command }) => parent === process.pid && command.endsWith('.test.ts'),
    )
    // Those that ended are forgotten: their numbers are given to later ones.
    seen = new Map(files.map(({ pid, command }) => [`${pid} ${command}`, since(pid, command)]))
    for (const { pid, command } of files) {
      if (Date.now() - since(pid, command) < limitMs + 2 * LOOK_MS) continue
      console.error(`${command.split(' ').at(-1)} did not end in its time and was ended.`)
      for (const each of [...descendants(rows, pid), pid]) end(each)
    }
  }

  function since(pid: number, command: string): number {
    return seen.get(`${pid} ${command}`) ?? Date.now()
  }

  /** Without `ps` there is no watch; the runner's own signal is what is left. */
  function giveUp(error: unknown): void {
    clearInterval(timer)
    console.error(`Test files that hang are not ended: ${String(error)}`)
  }
}

async function processes(): Promise<Row[]> {
  const { stdout } = await promisify(execFile)('ps', ['-Ao', 'pid=,ppid=,args='], {
    maxBuffer: 2 ** 26,
  })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

function descendants(rows: readonly Row[], of: number): number[] {
  const children = rows.filter(({ parent }) => parent === of).map(({ pid }) => pid)
  return children.flatMap((pid) => [...descendants(rows, pid), pid])
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself between the look and now.
  }
}
