/** Who watches which folder. A burst of changes is told once; nothing is told after the watch has ended. */
type Listeners = {
  add(folder: string, onChange: () => void): Disposable
  tell(folder: string): void
}

type Listener = { readonly onChange: () => void; isTold: boolean; isDisposed: boolean }

export function openListeners(): Listeners {
  const folders = new Map<string, Set<Listener>>()
  return {
    add: (folder, onChange) => {
      const listener: Listener = { onChange, isTold: false, isDisposed: false }
      const all = folders.get(folder) ?? new Set()
      folders.set(folder, all.add(listener))
      return {
        [Symbol.dispose]: () => {
          listener.isDisposed = true
          all.delete(listener)
        },
      }
    },
    tell: (folder) => {
      for (const listener of folders.get(folder) ?? []) schedule(listener)
    },
  }
}

function schedule(listener: Listener): void {
  if (listener.isTold) return
  listener.isTold = true
  setImmediate(() => {
    listener.isTold = false
    if (!listener.isDisposed) listener.onChange()
  })
}
