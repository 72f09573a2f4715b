/** A signal that also fires when nothing has happened for a while. */
export function withIdleLimit(signal: AbortSignal, limitMs: number) {
  const silence = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), limitMs)
  }
  alive()
  return {
    signal: AbortSignal.any([signal, silence.signal]),
    alive,
    end: () => clearTimeout(timer),
    get isOver() {
      return silence.signal.aborted
    },
  }
}
