/** Wires the session store of a home. What is indexed holds no secret that can be recognised. */
import { openDisk } from './fs/disk.ts'
import { cacheFolder } from './lib/cache-folder.ts'
import { openRedactor } from './open-redactor.ts'
import { createStore } from './store/store.ts'
import type { Store } from './store/store.ts'

export async function openStoreAt({
  home,
  onTrouble,
}: {
  readonly home: string
  readonly onTrouble: (message: string) => void
}): Promise<Store> {
  const fs = openDisk(home)
  const redactor = await (await openRedactor(fs)).load()
  const redact = (text: string) => redactor.redactText(text).text
  return createStore(fs, { cacheFolder: cacheFolder(), onTrouble, redact })
}
