/** Whether the time of a folder moves with every name that is added to it or taken away. */
import { statfsSync } from 'node:fs'

export function keepsFolderTimes(root: string): boolean {
  try {
    return KEEPERS.has(statfsSync(root).type)
  } catch {
    // Not told: every folder is listed.
    return false
  }
}

/** By the numbers that Linux gives them. On others, those on a network among them, every folder is listed. */
const KEEPERS = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
])
