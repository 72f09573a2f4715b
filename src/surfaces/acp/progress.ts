/** How far in the log a client was told, for those who wait until it was told so far. */
export function openProgress(from: number) {
  const waiting = new Set<{ readonly size: number; readonly resolve: () => void }>()
  let position = from
  let isOver = false

  const release = (isDone: (size: number) => boolean) => {
    for (const each of waiting) {
      if (!isDone(each.size)) continue
      waiting.delete(each)
      each.resolve()
    }
  }
  return {
    reach(end: number): void {
      position = end
      release((size) => size <= position)
    },
    /** What they waited for was rewound. */
    releaseAll: (): void => release(() => true),
    /** Nothing more is told. */
    end(): void {
      isOver = true
      release(() => true)
    },
    async until(size: number): Promise<void> {
      if (position >= size || isOver) return
      await new Promise<void>((resolve) => waiting.add({ size, resolve }))
    },
  }
}
