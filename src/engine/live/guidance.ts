/** Instruction files, custom agents and skills of a session: which there are, and which a person switches off or on. */
import { namedAgent, type CustomAgent } from '../../guidance/custom-agents.ts'
import type { Guidance, GuidanceKind } from '../../guidance/guidance.ts'
import { isNamed } from '../../guidance/instructions.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { answeringIfAny } from '../turn/resolve-agent.ts'
import type { LiveSession } from './live-session.ts'
import { commitOrWait, stateWithUnwritten } from './pending-events.ts'

const NONE: Guidance = { instructions: [], agents: [], skills: [] }

/** As the agent of the session is told it. An agent that reads such files itself tells nothing. */
export async function guidance(engine: EngineContext, session: LiveSession): Promise<Guidance> {
  const agent = await answeringIfAny(engine, session)
  const { cwd } = session.project
  return (await agent?.guidance?.({ cwd, state: stateWithUnwritten(session) })) ?? NONE
}

type GuidanceSwitch = {
  readonly kind: GuidanceKind
  /** The id or path of an instruction file, or the name of a skill. */
  readonly name: string
  readonly isOn: boolean
}

/** From the next message on. Recorded, so that it holds after a resume and an undo takes it back. */
export async function switchGuidance(
  engine: EngineContext,
  session: LiveSession,
  { kind, name, isOn }: GuidanceSwitch,
): Promise<void> {
  const known = await guidance(engine, session)
  const found =
    kind === 'skills'
      ? known.skills.find((skill) => skill.name === name)
      : known.instructions.find((source) => isNamed(source, [name]))
  if (found === undefined) throw unknown(kind, name)
  if (found.isOn === isOn) return
  const id = 'id' in found ? found.id : found.name
  const what = 'id' in found ? found.label : `The skill ${found.name}`
  await commitOrWait(engine, session, {
    type: 'session.info',
    data: {
      infoType: 'guidance_changed',
      message: `${what} is ${isOn ? 'given to the model' : 'left out'} from here on.`,
      reprise: { switched: { kind, name: id, isOn } },
    },
  })
}

/** From the next message on. Recorded, so that it holds after a resume and an undo takes it back. */
export async function selectAgent(
  engine: EngineContext,
  session: LiveSession,
  name: string | undefined,
): Promise<CustomAgent | undefined> {
  const { agentName } = stateWithUnwritten(session)
  if (name === undefined) {
    if (agentName !== undefined)
      await commitOrWait(engine, session, { type: 'subagent.deselected', data: {} })
    return undefined
  }
  const { agents } = await guidance(engine, session)
  const found = namedAgent(agents, name)
  if (found === undefined || !found.userInvocable) {
    const known = agents.filter((each) => each.userInvocable).map((each) => each.name)
    throw new EngineError(
      'not_found',
      `Custom agent '${name}' not found. Nothing was changed. ${known.length === 0 ? 'There is none.' : `There are: ${known.join(', ')}.`}`,
    )
  }
  if (agentName !== found.name) {
    const { displayName: agentDisplayName, tools } = found
    await commitOrWait(engine, session, {
      type: 'subagent.selected',
      data: {
        agentName: found.name,
        agentDisplayName,
        tools: tools === undefined ? null : [...tools],
      },
    })
  }
  return found
}

const unknown = (kind: GuidanceKind, name: string): EngineError =>
  new EngineError(
    'not_found',
    kind === 'skills'
      ? `There is no skill ${name}. Nothing was changed. /skills lists them.`
      : `There is no instruction file ${name}. Nothing was changed. /instructions lists them.`,
  )
