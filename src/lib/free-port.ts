/** Whether no program of this machine listens on a port, whatever its address. */
import { createServer } from 'node:net'

export function isFreePort(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    // Of a port that may not be listened on it is not known.
    server.once('error', () => resolve(false))
    server.listen({ port, host: '0.0.0.0', exclusive: true }, () =>
      server.close(() => resolve(true)),
    )
  })
}
