/** Whether a folder lies on a file system that other machines share: locks and shared memory fail there. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** `f_type` of statfs(2). FUSE is counted in: what stands behind it cannot be told, and is often sshfs. */
const SHARED: ReadonlySet<number> = new Set([
  0x6969, // nfs
  0x517b, // smb
  0xff534d42, // cifs
  0xfe534d42, // smb2
  0x5346414f, // afs
  0x01021997, // 9p
  0x00c36400, // ceph
  0x0bd00bd0, // lustre
  0x47504653, // gpfs
  0x65735546, // fuse
  0x53464846, // wslfs
])

/** A folder that does not exist yet will lie where the nearest one above it does. */
export function isNetworkDisk(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    try {
      // Some systems give the number with its sign.
      return SHARED.has(statfsSync(path).type >>> 0)
    } catch {
      // Missing, or the system does not tell: the folder above is asked, and in the end it counts as a local disk.
      if (dirname(path) === path) return false
    }
  }
}
