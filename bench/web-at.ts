/** A web server on a home, with the least that it can do with. */
import type { Engine } from '../src/engine/engine.ts'
import { startWeb, type WebOptions, type WebServer } from '../src/surfaces/web/server.ts'

export const TOKEN = 'x'.repeat(43)

export const webAt = (
  engine: Engine,
  home: string,
  readAsset: WebOptions['readAsset'] = async () => undefined,
): Promise<WebServer> =>
  startWeb({
    engine,
    version: 'bench',
    home,
    cwd: home,
    port: 0,
    token: TOKEN,
    guestKey: { read: async () => undefined, make: async () => Buffer.alloc(32) },
    redact: async (value) => value,
    readStyle: async () => '',
    readAsset,
  })
