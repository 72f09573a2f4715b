/** Mission Control, as far as this server goes: there is none here, and the answers say so. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { method, sessionId, type Methods } from '../method.ts'

export const noMissionControl = () =>
  new EngineError(
    'invalid',
    'No Mission Control is configured for this server. Nothing was changed.',
  )

const OFF = { state: 'off' } as const
const REFUSED = {
  state: 'error',
  error: 'No Mission Control is configured for this server.',
} as const

export const remoteMethods: Methods = {
  'sessions.connect': method(
    'Joins a session of Mission Control.',
    { sessionId: z.string() },
    () => {
      throw noMissionControl()
    },
  ),
  'sessions.startRemoteControl': method(
    'Lets a session be steered from Mission Control.',
    { sessionId, config: z.looseObject({}).optional() },
    () => ({ status: REFUSED }),
  ),
  'sessions.transferRemoteControl': method(
    'Lets another session be steered instead.',
    { toSessionId: sessionId, expectedFromSessionId: z.string().optional() },
    () => ({ status: OFF, transferred: false }),
  ),
  'sessions.setRemoteControlSteering': method(
    'Allows or forbids steering.',
    { enabled: z.boolean() },
    (_call, { enabled }) => ({ status: enabled ? REFUSED : OFF }),
  ),
  'sessions.stopRemoteControl': method(
    'Ends the steering from Mission Control.',
    { expectedSessionId: z.string().optional(), force: z.boolean().optional() },
    () => ({ status: OFF, stopped: false }),
  ),
  'sessions.getRemoteControlStatus': method('Whether a session is steered.', {}, () => ({
    status: OFF,
  })),
}
