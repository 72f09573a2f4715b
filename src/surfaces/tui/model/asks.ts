/** What waits for an answer of the person, kept in step with the events and notices that ask and settle. */
import type { Event, Payload, Stranger } from '../../../format/event.ts'
import type { Notice } from '../../../format/notice.ts'
import type { Ask } from './model.ts'

export function asksAfterEvent(asks: readonly Ask[], event: Event | Stranger): readonly Ask[] {
  if ('stranger' in event) return asks
  if (event.type === 'permission.requested') {
    const { requestId, permissionRequest, resolvedByHook } = event.data
    if (resolvedByHook === true) return asks
    const what = wish(permissionRequest)
    return [...asks, { kind: 'permission', requestId, what, body: bodyOf(permissionRequest) }]
  }
  if (event.type === 'permission.completed' || event.type === 'permission.carriedForward') {
    return without(asks, event.data.requestId)
  }
  // Whatever a turn asked is withdrawn when it ends.
  return event.type === 'abort' || event.type === 'session.shutdown' ? [] : asks
}

export function asksAfterNotice(asks: readonly Ask[], notice: Notice): readonly Ask[] {
  if (notice.type === 'user_input.requested') {
    const { requestId, question, choices = [] } = notice.data
    return [...asks, { kind: 'question', requestId, what: question, choices }]
  }
  if (notice.type === 'user_input.completed') return without(asks, notice.data.requestId)
  return notice.type === 'session.idle' ? [] : asks
}

export const without = (asks: readonly Ask[], requestId: string): readonly Ask[] =>
  asks.filter((ask) => ask.requestId !== requestId)

type Request = Payload<'permission.requested'>['permissionRequest']

const verbs: Readonly<Record<string, string>> = {
  shell: 'run',
  write: 'write',
  read: 'read',
  url: 'fetch',
  mcp: 'call',
  memory: 'remember',
  'custom-tool': 'call',
  hook: 'go on with',
}

function wish(request: Request): string {
  const { fullCommandText, fileName, path, url, toolName, fact, name, extensionName } =
    request as Readonly<Record<string, unknown>>
  const object = [fullCommandText, fileName, path, url, toolName, fact, name, extensionName].find(
    (each) => typeof each === 'string',
  )
  return `${verbs[request.kind] ?? request.kind} ${typeof object === 'string' ? object : ''}`.trim()
}

function bodyOf(request: Request): string {
  const { diff, warning, args } = request as Readonly<Record<string, unknown>>
  const said = [diff, warning].find((each) => typeof each === 'string' && each !== '')
  if (typeof said === 'string') return said
  return args === undefined ? '' : JSON.stringify(args, null, 2)
}
