/** A permission request as it is recorded: what decides it, and how front ends put it to a person. */
import { isDeepStrictEqual } from 'node:util'
import type { Draft, Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { AskedPermission, PermissionRequest } from '../agent.ts'
import type { Offer } from '../permission/grants.ts'

type Asked = Payload<'permission.requested'>

/** What is put to people with a request. */
export type Putting = { readonly offer: Offer | undefined; readonly asked: AskedPermission }

export function draftOf(
  requestId: string,
  permissionRequest: PermissionRequest,
  { offer, asked: { options, endsPlan } }: Putting,
  agentMode: SessionState['mode'],
): Draft {
  const reprise = {
    ...defined({ always: offer?.says }),
    ...(options !== undefined && { options: [...options] }),
    ...(endsPlan === true && { endsPlan }),
  }
  const isMore = Object.keys(reprise).length > 0
  const promptRequest = promptFor(permissionRequest)
  const data: Asked = {
    requestId,
    permissionRequest,
    promptRequest,
    agentMode,
    ...(isMore && { reprise }),
  }
  return { type: 'permission.requested', data }
}

/** Whatever mode it is asked in. */
export const isInSameWords = (one: Asked, other: Asked): boolean =>
  isDeepStrictEqual(wordsOf(one), wordsOf(other))

/** As they stand in a log. */
const wordsOf = ({ permissionRequest, reprise }: Asked): unknown =>
  JSON.parse(JSON.stringify({ permissionRequest, reprise }))

/** What is shown of it, without what only decides it. */
function promptFor(request: PermissionRequest): Readonly<Record<string, unknown>> {
  switch (request.kind) {
    case 'shell': {
      const { fullCommandText, intention, canOfferSessionApproval, commands, toolCallId, warning } =
        request
      const commandIdentifiers = commands.map(({ identifier }) => identifier)
      const kind = 'commands'
      const more = warning === undefined ? {} : { warning }
      return {
        kind,
        toolCallId,
        intention,
        fullCommandText,
        commandIdentifiers,
        canOfferSessionApproval,
        ...more,
      }
    }
    case 'mcp': {
      const { readOnly: _, ...prompt } = request
      return prompt
    }
    case 'custom-tool': {
      const { skipPermission: _, ...prompt } = request
      return prompt
    }
    default:
      return request
  }
}
