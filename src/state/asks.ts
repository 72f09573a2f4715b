/** What waits for an answer of a person, kept in step with the events and notices that ask and settle. */
import type { Event, Payload, Stranger } from '../format/event.ts'
import type { Notice } from '../format/notice.ts'
import { defined } from '../lib/defined.ts'
import { fieldsOf } from '../lib/fields.ts'

export type Ask =
  | {
      readonly kind: 'permission'
      readonly requestId: string
      readonly what: string
      /** What would be done, at length: a diff, a warning, arguments. */
      readonly body: string
      /** The body is a plan, as Markdown. */
      readonly isPlan?: true
      /** What "always" would allow, in words. Without it there is no such answer. */
      readonly always?: string
      /** Answers that the agent itself offers. */
      readonly options?: readonly OfferedAnswer[]
      /** False: only another process can take the answer. */
      readonly answerable: boolean
    }
  | {
      readonly kind: 'question'
      readonly requestId: string
      readonly what: string
      readonly choices: readonly string[]
    }

export function asksAfterEvent(asks: readonly Ask[], event: Event | Stranger): readonly Ask[] {
  if ('stranger' in event) return asks
  switch (event.type) {
    case 'permission.requested':
      return event.data.resolvedByHook === true
        ? asks
        : [...without(asks, event.data.requestId), permissionAsk(event.data, true)]
    case 'permission.completed':
    case 'permission.carriedForward':
      return without(asks, event.data.requestId)
    // Whatever a turn asked is withdrawn when it ends.
    case 'abort':
    case 'session.shutdown':
      return []
    default:
      return asks
  }
}

export function asksAfterNotice(asks: readonly Ask[], notice: Notice): readonly Ask[] {
  switch (notice.type) {
    case 'user_input.requested':
      return [...without(asks, notice.data.requestId), questionAsk(notice.data)]
    case 'user_input.completed':
      return without(asks, notice.data.requestId)
    case 'session.idle':
      return []
    default:
      return asks
  }
}

export const without = (asks: readonly Ask[], requestId: string): readonly Ask[] =>
  asks.filter((ask) => ask.requestId !== requestId)

export function permissionAsk(
  { requestId, permissionRequest, reprise }: Payload<'permission.requested'>,
  answerable: boolean,
): Ask {
  const endsPlan = reprise?.endsPlan === true
  const what = endsPlan ? 'leave plan mode' : wish(permissionRequest)
  const body = endsPlan ? planIn(permissionRequest) : bodyOf(permissionRequest, what)
  const { always, options = [] } = reprise ?? {}
  const offered = { ...defined({ always }), ...(options.length > 0 && { options }) }
  const plan = endsPlan && body !== '' && ({ isPlan: true } as const)
  return { kind: 'permission', requestId, what, body, ...plan, ...offered, answerable }
}

export const questionAsk = (asked: {
  readonly requestId: string
  readonly question: string
  readonly choices?: readonly string[] | undefined
}): Ask => ({
  kind: 'question',
  requestId: asked.requestId,
  what: asked.question,
  choices: asked.choices ?? [],
})

/** One way to answer a permission request. */
type PermissionAnswer = {
  readonly kind: 'allow' | 'allow-for-session' | 'deny'
  readonly says: string
  /** The answer of the agent that it is. */
  readonly option?: string
  /** It allows more than this once. */
  readonly isLasting?: true
  /** It goes with words for the agent. */
  readonly takesReason?: true
}

type OfferedAnswer = { readonly id: string; readonly name: string; readonly kind: string }

/** All ways, in the order in which people are offered them: those of the agent as it names them, beside ours. */
export function permissionAnswers({
  always,
  options = [],
}: {
  readonly always?: string | undefined
  readonly options?: readonly OfferedAnswer[] | undefined
}): readonly PermissionAnswer[] {
  const once = offeredAs('allow', options, ({ kind }) => kind === 'allow_once')
  const lasting = offeredAs('allow', options, ({ kind }) => kind === 'allow_always')
  const no = offeredAs('deny', options, ({ kind }) => kind.startsWith('reject'))
  return [
    ...(options.length === 0 ? [{ kind: 'allow', says: 'Allow once' } as const] : once),
    ...(always === undefined
      ? []
      : [
          {
            kind: 'allow-for-session',
            says: `Allow ${always} until you quit`,
            isLasting: true,
          } as const,
        ]),
    ...lasting.map((answer) => ({ ...answer, isLasting: true }) as const),
    ...(no.length === 0 ? [{ kind: 'deny', says: 'No' } as const] : no),
    { kind: 'deny', says: 'No, and tell it why', takesReason: true },
  ]
}

const offeredAs = (
  kind: PermissionAnswer['kind'],
  options: readonly OfferedAnswer[],
  fits: (option: OfferedAnswer) => boolean,
): PermissionAnswer[] =>
  options.filter(fits).map(({ id, name }) => ({ kind, says: name, option: id }))

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
  const verb = Object.hasOwn(verbs, request.kind) ? verbs[request.kind] : request.kind
  return `${verb} ${typeof object === 'string' ? object : ''}`.trim()
}

/** What it would do then; some agents have told it before. */
function planIn(request: Request): string {
  const { plan } = fieldsOf((request as Readonly<Record<string, unknown>>)['args'])
  return typeof plan === 'string' ? plan : ''
}

/** An intention that only says again what would be done is left out. */
function bodyOf(request: Request, what: string): string {
  const { diff, warning, args, intention } = request as Readonly<Record<string, unknown>>
  const said = [diff, warning, intention].find(
    (each): each is string =>
      typeof each === 'string' && each !== '' && each.toLowerCase() !== what.toLowerCase(),
  )
  if (said !== undefined) return said
  return args === undefined ? '' : JSON.stringify(args, null, 2)
}
