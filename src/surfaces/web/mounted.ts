/** The page and its API for one person whom another server has let in: it listens nowhere and asks for no token. */
import { getRequestListener } from '@hono/node-server'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '../../engine/engine.ts'
import { defined } from '../../lib/defined.ts'
import { createApp } from './app.ts'
import { WebFailure } from './failure.ts'
import type { Guard } from './guard.ts'
import type { Guest } from './guest.ts'
import { createJointStreams } from './joint-stream.ts'
import type { ReadAsset } from './page-files.ts'
import type { Web } from './route.ts'
import { createRunningWork } from './running-work.ts'

export type MountedOptions = Pick<
  Web,
  'version' | 'redact' | 'readStyle' | 'guestLink' | 'team'
> & {
  readonly engine: Engine
  readonly readAsset: ReadAsset
  /** Who was let in may watch one session, for as long as something is left. */
  readonly guest?: Guest & { leftMs(): Promise<number> }
  readonly onFault?: (error: unknown) => void
}

export type Mounted = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

export function mountWeb(options: MountedOptions): Mounted {
  const { engine, readAsset, guest, onFault, ...rest } = options
  const app = createApp({
    web: {
      ...rest,
      engine,
      work: createRunningWork(engine),
      streams: createJointStreams(engine, onFault),
      home: '',
      cwd: '',
      link: noOwnLink,
    },
    guard: {
      checkPlace() {},
      checkToken: async () => guest ?? 'owner',
      login: elsewhere,
      link: noOwnLink,
      guestLink: elsewhere,
      leftMs: async () => (await guest?.leftMs()) ?? 0,
    } satisfies Guard,
    readAsset,
    ...defined({ onFault }),
  })
  return getRequestListener(app.fetch, { overrideGlobalObjects: false })
}

const elsewhere = async (): Promise<never> => {
  throw new WebFailure('not_found', 'People are let in by the server itself. Nothing was done.')
}

const noOwnLink = (): never => {
  throw new WebFailure(
    'not_found',
    '"reprise remote link" on a machine that has joined makes a link. Nothing was made.',
  )
}
