/** The page and its API for one person whom another server has let in: it listens nowhere and asks for no token. */
import { getRequestListener } from '@hono/node-server'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '../../engine/engine.ts'
import { defined } from '../../lib/defined.ts'
import { createApp } from './app.ts'
import { WebFailure } from './failure.ts'
import type { Guard } from './guard.ts'
import { createJointStreams } from './joint-stream.ts'
import type { ReadAsset } from './page-files.ts'
import type { Web } from './route.ts'
import { createRunningWork } from './running-work.ts'

export type MountedOptions = Pick<Web, 'version' | 'redact' | 'readStyle'> & {
  readonly engine: Engine
  readonly readAsset: ReadAsset
  readonly onFault?: (error: unknown) => void
}

export type Mounted = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

export function mountWeb({ engine, readAsset, onFault, ...rest }: MountedOptions): Mounted {
  const app = createApp({
    web: {
      ...rest,
      engine,
      work: createRunningWork(engine),
      streams: createJointStreams(engine, onFault),
      home: '',
      cwd: '',
      link: noOwnLink,
      guestLink: noLink,
    },
    guard: LET_IN,
    readAsset,
    ...defined({ onFault }),
  })
  return getRequestListener(app.fetch, { overrideGlobalObjects: false })
}

const noLink = async (): Promise<never> => {
  throw new WebFailure(
    'not_found',
    'Guests of this server are let in by its own links. Nothing was made.',
  )
}

const noOwnLink = (): never => {
  throw new WebFailure(
    'not_found',
    '"reprise remote link" on a machine that has joined makes a link. Nothing was made.',
  )
}

const LET_IN: Guard = {
  checkPlace() {},
  checkToken: async () => 'owner',
  login: noLink,
  link: noOwnLink,
  guestLink: noLink,
  leftMs: async () => 0,
}
