/**
 * Sessions without end, on each surface: begun, used, taken back, left and come back to. What is held after a
 * collection is printed after 10, 20, 40 … sessions; it must not grow with those that were closed.
 */
import { spawnSync } from 'node:child_process'
import type { Part } from '../part.ts'
import { soakAcp } from '../soak/acp.ts'
import { soakControl } from '../soak/control.ts'
import { soakRemote, soakRpc } from '../soak/rpc.ts'
import { heldBy, type Held, type Soaked } from '../soak/soaked.ts'
import { soakTerminal } from '../soak/terminal.ts'
import { soakWeb } from '../soak/web.ts'

type Sample = Held & { readonly sessions: number }

const FIRST = 10
/** Code that becomes hot is compiled, and known paths and words settle, whatever is closed. */
const SETTLING_BYTES = 2_000_000
/** A session that stays costs at least five times as much. */
const MOST_PER_SESSION = 20_000
/** A dozen sessions may stay open, with two files each, and connections that are just ending. */
const MOST_MORE = 26
/** After fewer, what stays is not told from what comes once. */
const LEAST = 40

const part = (
  name: string,
  open: (folder: string) => Promise<Soaked>,
  cannot: Part['cannot'] = process.platform === 'linux' ? false : '/proc is looked at',
): Part => ({
  name: `soak-${name}`,
  share: 1,
  cannot,
  async run({ folder, hasTime, count }) {
    await using soaked = await open(folder)
    const samples: Sample[] = []
    const look = async (sessions: number) => {
      const held = await heldBy(soaked.measured)
      samples.push({ sessions, ...held })
      console.log(`soak-${name}: ${inWords(sessions, held)}`)
    }
    let sessions = 0
    for (let next = FIRST; hasTime(); sessions += 1) {
      if (sessions === next) {
        await look(sessions)
        next *= 2
      }
      await soaked.live(sessions)
    }
    await look(sessions)
    count(`sessions of soak-${name}`, sessions)
    if (sessions < LEAST) return count('soaks that were too short to judge')
    judge(samples)
  },
})

export const soak: readonly Part[] = [
  part('rpc', soakRpc),
  part('remote', soakRemote),
  part('acp', soakAcp),
  part('web', soakWeb),
  part('control', soakControl),
  part('terminal', soakTerminal, hasTmux() ? false : 'tmux is not installed'),
]

/** Of the second half: before, what is needed once is still coming. */
function judge(samples: readonly Sample[]): void {
  const last = samples.at(-1)
  const before = samples.findLast(({ sessions }) => sessions <= (last?.sessions ?? 0) / 2)
  if (last === undefined || before === undefined) return
  const allowed = SETTLING_BYTES + (last.sessions - before.sessions) * MOST_PER_SESSION
  const faults = [
    ...(last.heap - before.heap > allowed ? ['heap'] : []),
    ...(['handles', 'files'] as const).filter((each) => last[each] - before[each] > MOST_MORE),
  ]
  if (faults.length === 0) return
  const [was, is] = [before, last].map((each) => inWords(each.sessions, each))
  throw new Error(`${faults.join(' and ')} grow with closed sessions: ${was}; ${is}`)
}

const inWords = (sessions: number, { heap, rss, handles, files }: Held): string =>
  `${sessions} sessions, heap ${mb(heap)}, RSS ${mb(rss)}, ${handles} handles, ${files} files`

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0
}
