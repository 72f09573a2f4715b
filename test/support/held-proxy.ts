/** A way from one port to another that can be held up, as a slow network does, and cut. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type HeldProxy = AsyncDisposable & {
  readonly port: number
  /** Where new connections lead from now on; what was open is cut. */
  lead(port: number): void
  /** Breaks every connection that is open off; how many. */
  cut(): number
  /** Nothing that the far end says comes through any more, until it leads elsewhere. */
  hold(): void
}

export async function openHeldProxy(): Promise<HeldProxy> {
  let target: number | undefined
  let isHeld = false
  const open = new Map<Socket, Socket>()
  const server = createServer((near) => {
    if (target === undefined) return void near.destroy()
    const far = connect(target, '127.0.0.1')
    open.set(near, far)
    const end = () => {
      open.delete(near)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    near.pipe(far)
    if (!isHeld) far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): number => {
    const { size } = open
    for (const [near, far] of open) {
      near.resetAndDestroy()
      far.destroy()
    }
    open.clear()
    return size
  }
  return {
    port: (server.address() as AddressInfo).port,
    lead(port) {
      cut()
      isHeld = false
      target = port
    },
    cut,
    hold() {
      isHeld = true
      for (const far of open.values()) far.unpipe().pause()
    },
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
    },
  }
}
