/** A process of its own that takes a lease and does with it what it is told, for tests. */
import { appendFileSync } from 'node:fs'
import { setImmediate as nextRound } from 'node:timers/promises'
import { openDisk } from '../../src/fs/disk.ts'
import type { Lease } from '../../src/log/lease-hold.ts'
import { acquireLease } from '../../src/log/lease.ts'
import type { LeaseLimits } from '../../src/log/lease-limits.ts'

export type ChildOrder =
  | {
      readonly do: 'acquire'
      readonly waitMs: number
      readonly yields: boolean
      readonly limits?: Partial<LeaseLimits>
    }
  | { readonly do: 'turns'; readonly turns: number; readonly file: string; readonly name: string }
  | { readonly do: 'holds' | 'release' }

export type ChildReport =
  | { readonly told: 'ready' | 'asked' | 'released' | 'done' }
  | { readonly told: 'acquired'; readonly generation: number; readonly takenOver: string }
  | { readonly told: 'holds'; readonly holds: boolean }
  | { readonly told: 'failed'; readonly name: string; readonly message: string }

const [home = '', session = ''] = process.argv.slice(2)
const fs = openDisk(home)
let lease: Lease | undefined

const tell = (report: ChildReport): void => void process.send?.(report)

process.on('message', (order: ChildOrder) => {
  obey(order).catch((error: Error) =>
    tell({ told: 'failed', name: error.name, message: error.message }),
  )
})
tell({ told: 'ready' })

async function obey(order: ChildOrder): Promise<void> {
  if (order.do === 'acquire') {
    const { waitMs, yields, limits = {} } = order
    const onRequest = (): void => {
      tell({ told: 'asked' })
      if (yields) void release()
    }
    lease = await acquireLease(fs, session, { label: 'child', waitMs, limits, onRequest })
    tell({ told: 'acquired', generation: lease.generation, takenOver: lease.takenOver })
  } else if (order.do === 'turns') {
    for (let turn = 0; turn < order.turns; turn += 1)
      await takeTurn(order.file, `${order.name} ${turn}`)
    tell({ told: 'done' })
  } else if (order.do === 'holds') {
    tell({ told: 'holds', holds: (await lease?.holds()) ?? false })
  } else {
    await release()
  }
}

async function release(): Promise<void> {
  await lease?.release()
  tell({ told: 'released' })
}

/** Nothing but the lease keeps the two lines of a turn together. */
async function takeTurn(file: string, name: string): Promise<void> {
  await using turn = await acquireLease(fs, session, {
    label: 'child',
    waitMs: 120_000,
    onRequest: () => {},
  })
  appendFileSync(file, `begin ${name}\n`)
  for (let round = 0; round < 20; round += 1) await nextRound()
  appendFileSync(file, `end ${name}${(await turn.holds()) ? '' : ' overtaken'}\n`)
}
