/** The ledger of a run: one line a check, and what was noticed besides. A failed check does not stop the others. */
import assert from 'node:assert/strict'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'

export interface Checks {
  check(name: string, action: () => Promise<void> | void): Promise<void>
  /** Says something that is neither right nor wrong. */
  note(line: string): void
  readonly passed: number
  readonly failed: number
}

export function openChecks(write: (line: string) => void): Checks {
  let passed = 0
  let failed = 0
  return {
    async check(name, action) {
      const start = performance.now()
      try {
        await action()
        passed += 1
        write(`ok    ${name} (${seconds(start)})`)
      } catch (error) {
        failed += 1
        write(`FAIL  ${name} (${seconds(start)})`)
        write(indented(error instanceof Error ? error.message : String(error)))
      }
    },
    note: (line) => write(`      ${line}`),
    get passed() {
      return passed
    },
    get failed() {
      return failed
    },
  }
}

export const seconds = (start: number): string =>
  `${((performance.now() - start) / 1000).toFixed(1)} s`

const indented = (text: string) =>
  text
    .split('\n')
    .slice(0, 40)
    .map((line) => `        ${line.slice(0, 300)}`)
    .join('\n')

/** Facts of a history, such as types that only the other program knows, are no trouble. */
export async function assertHealthy(engine: Engine, id: SessionId): Promise<void> {
  const { ailments } = await engine.doctor(id)
  assert.deepEqual(
    ailments.filter(({ severity }) => severity !== 'note'),
    [],
  )
}
