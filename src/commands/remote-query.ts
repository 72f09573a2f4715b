/** `--cloud` and `--team` of questions over all sessions: Mission Control is asked in place of the store of this home. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { counted } from '../lib/quantities.ts'
import type { FarAudience, FarBehind, FarStore } from '../store/far-store.ts'
import type { CommandContext } from './command.ts'
import { noMissionControl } from './find-session.ts'

/** Fields of every question that can be asked there. */
export const elsewhere = {
  cloud: z.boolean().optional().describe('ask Mission Control, over your sessions of all machines'),
  team: z.boolean().optional().describe('ask Mission Control, over what is shared with the team'),
}

type Elsewhere = { readonly cloud?: boolean | undefined; readonly team?: boolean | undefined }

export type Far = { readonly of: FarAudience; readonly store: FarStore }

/** Undefined where this home is asked. */
export async function farOf(
  context: Pick<CommandContext, 'far'>,
  { cloud = false, team = false }: Elsewhere,
): Promise<Far | undefined> {
  if (!cloud && !team) return undefined
  if (cloud && team) throw new EngineError('invalid', 'Give --cloud or --team, not both.')
  const store = await context.far?.()
  if (store === undefined) throw noMissionControl()
  return { of: team ? 'team' : 'mine', store }
}

/** What is said below an answer that may lack something; nothing below one that is whole. */
export const farBehind = (behind: FarBehind | undefined): readonly string[] =>
  behind === undefined || behind.sessions === 0
    ? []
    : [
        `Mission Control has not read all of ${counted(behind.sessions, 'session')} yet, so something may be missing. Ask again in a moment.`,
      ]
