/** Which objects the memory still has, after everything that nobody needs is gone. */
import { setImmediate as later } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** How many of them cannot be let go of. */
export async function heldOf(all: readonly WeakRef<object>[]): Promise<number> {
  // What was looked at stays until the work of this moment is done.
  for (let times = 0; times < 5; times += 1) {
    await later()
    collect()
  }
  return all.filter((each) => each.deref() !== undefined).length
}
