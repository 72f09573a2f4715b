/** A disk that claims to have synced. What is acknowledged on it is lost by a power cut: a test must see that. */
import type { SessionFs } from '../../src/fs/session-fs.ts'

export const withoutSync = (fs: SessionFs): SessionFs => ({
  ...fs,
  openAppend: async (path) => ({ ...(await fs.openAppend(path)), sync: async () => {} }),
  writeAtomic: (path, bytes) => fs.writeAtomic(path, bytes, { durable: false }),
})
