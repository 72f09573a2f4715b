/**
 * Ends groups of processes that this process started when it is killed and can end nothing itself: a small shell reads
 * which groups there are from a pipe, and the end of that pipe is the end of this process, however it came.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'

/** What a group began under other groups goes, too: it is looked for at once, while its parents are still there. */
const SCRIPT = `groups=
while read -r sign pid; do
  rest=
  for each in $groups; do [ "$each" = "$pid" ] || rest="$rest $each"; done
  groups=$rest
  [ "$sign" = + ] && groups="$groups $pid"
done
[ -n "$groups" ] || exit 0
below=$(ps -A -o pid= -o ppid= 2>/dev/null | awk -v roots="$groups" '
  BEGIN { n = split(roots, list, " "); for (i = 1; i <= n; i++) found[list[i]] = 1 }
  { parent[$1] = $2 }
  END {
    do {
      more = 0
      for (pid in parent) if (!(pid in found) && (parent[pid] in found)) { found[pid] = 1; more = 1 }
    } while (more)
    for (pid in found) printf "%s ", pid
  }')
sleep 1
for each in $groups; do kill -KILL -- "-$each" 2>/dev/null; done
for each in $below; do kill -KILL "$each" 2>/dev/null; done
`

const guarded = new Set<number>()
let shell: ChildProcess | undefined

/** `leader`: the first process of a group. Disposed of when the group has ended, or may go on without this process. */
export function guardGroup(leader: number): Disposable {
  guarded.add(leader)
  tell(`+ ${leader}\n`)
  return {
    [Symbol.dispose]() {
      if (guarded.delete(leader)) tell(`- ${leader}\n`)
    },
  }
}

function tell(line: string): void {
  const known = shell
  shell ??= start()
  // One that was started anew is told of all that there are.
  const words = known === undefined ? Array.from(guarded, (pid) => `+ ${pid}\n`).join('') : line
  shell?.stdin?.write(words)
}

function start(): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    // Of a group of its own: what a terminal tells this process's group is not for it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const isGone = () => {
    if (shell === child) shell = undefined
  }
  child.on('error', isGone) // without it a kill leaves to the groups themselves when they end
  child.on('exit', isGone)
  child.stdin.on('error', () => {}) // told of by its end
  child.unref()
  ;(child.stdin as Socket).unref()
  return child
}
