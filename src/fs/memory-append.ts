/** A file in memory that is appended to: what was synced survives `crash()`, and planned faults strike where a disk's would. */
import { failure, type followPlan } from './memory-faults.ts'
import { above, type openNames } from './memory-names.ts'
import { cutTo, failSync, syncFile, writeAt, type MemoryFile } from './memory-tree.ts'
import type { AppendFile } from './session-fs.ts'

type Surroundings = {
  /** Throws after the power was cut. */
  readonly checkPower: (path: string) => void
  readonly nextFault: ReturnType<typeof followPlan>
  readonly tree: ReturnType<typeof openNames>
  readonly tell: (folder: string) => void
}

export function openMemoryAppend(
  path: string,
  file: MemoryFile,
  { checkPower, nextFault, tree, tell }: Surroundings,
): AppendFile {
  let nameIsDurable = file.bytes.length > 0
  return {
    identity: file.identity,
    size: async () => file.bytes.length,
    write: async (chunks, position) => {
      checkPower(path)
      const fault = nextFault('write')
      const bytes = Buffer.concat(chunks)
      writeAt(
        file,
        fault === undefined ? bytes : bytes.subarray(0, fault.afterBytes ?? 0),
        position,
      )
      tell(above(path))
      if (fault !== undefined) throw failure(fault, path)
    },
    sync: async () => {
      checkPower(path)
      const fault = nextFault('sync')
      if (fault !== undefined) {
        failSync(file)
        throw failure(fault, path)
      }
      syncFile(file)
      if (!nameIsDurable) tree.syncWayDown(path)
      nameIsDurable = true
    },
    truncate: async (size) => {
      checkPower(path)
      const fault = nextFault('truncate')
      if (fault !== undefined) throw failure(fault, path)
      cutTo(file, size)
      tell(above(path))
    },
    close: async () => {},
  }
}
