/** Who answers in a session, how, where, and under what name. */
import { z } from 'zod'
import { nameByDefault } from '../sessions/auto-name.ts'
import { rename } from '../sessions/rename.ts'
import { guidance, selectAgent, switchGuidance } from '../live/guidance.ts'
import { moveTo } from '../live/change-cwd.ts'
import { setSteerable } from '../live/session-settings.ts'
import { agentOptions } from '../turn/agent-options.ts'
import { onFiles, onFresh, onOpen } from './operation.ts'
import { ownerOnly, steerable } from './rights.ts'
import { nothing, path, text } from './schemas.ts'

export const settingsOperations = {
  /** Undefined until the agent has come up, and for one that has no options of its own. */
  agentOptions: onOpen(
    { summary: 'List what can be chosen in the agent itself.', takes: nothing, ...ownerOnly },
    agentOptions,
  ),
  guidance: onFresh(
    {
      summary: 'List instruction files, custom agents and skills, as they count now.',
      takes: nothing,
      ...steerable,
    },
    guidance,
  ),
  selectAgent: onOpen(
    {
      summary:
        'Have a custom agent answer from the next message on; without a name, the usual one.',
      takes: z.strictObject({ agent: text.optional() }),
      args: ['agent'],
      ...steerable,
      formerly: 'agent-select',
    },
    (engine, session, { agent }: { readonly agent?: string | undefined }) =>
      selectAgent(engine, session, agent),
  ),
  switchGuidance: onOpen(
    {
      summary:
        'Leave an instruction file or a skill out from the next message on, or give it again.',
      takes: z.strictObject({
        kind: z.enum(['instructions', 'skills']),
        name: text,
        isOn: z.boolean(),
      }),
      ...steerable,
      formerly: 'guidance-switch',
    },
    switchGuidance,
  ),
  setSteerable: onOpen(
    {
      summary: 'Record whether people may act in it from afar.',
      takes: z.strictObject({ isSteerable: z.boolean() }),
      args: ['isSteerable'],
      ...ownerOnly,
    },
    (engine, session, { isSteerable }) => setSteerable(engine, session, isSteerable),
  ),
  moveTo: onOpen(
    {
      summary: 'Move it to another directory.',
      takes: z.strictObject({ cwd: path }),
      args: ['cwd'],
      ...ownerOnly,
    },
    (engine, session, { cwd }) => moveTo(engine, session, cwd),
  ),
  rename: onFiles(
    { summary: 'Name it.', takes: z.strictObject({ title: text }), args: ['title'], ...steerable },
    (engine, id, { title }) => rename(engine, id, title),
  ),
  /** False when a person has named it. */
  nameByDefault: onFiles(
    {
      summary: 'Name it, unless a person has.',
      takes: z.strictObject({ title: text }),
      args: ['title'],
      ...ownerOnly,
    },
    (engine, id, { title }) => nameByDefault(engine, id, title),
  ),
}
