/**
 * What the agent may do when it is asked from a command line. Inside the project it reads without asking;
 * everything else is decided by --allow-all, by the person at the terminal, or, when there is neither, refused.
 */
import type { PermissionDecision, PermissionPolicy, PermissionRequest } from '../../engine/agent.ts'
import { serverTool } from '../../engine/permission/server-tool.ts'
import type { Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import { ask } from './ask.ts'
import type { Cli } from './command.ts'
import { bold, dim, yellow } from './render/span.ts'

export type Permission = {
  readonly policy: PermissionPolicy
  /** Undefined when the request was decided without a person. */
  answer(
    request: PermissionRequest | { toolCallId?: string | undefined },
    /** What "always" would allow, in words. */
    always: string | undefined,
  ): Promise<PermissionDecision> | undefined
  /** What a session of another machine asks; undefined leaves it to the people there. */
  answerFar(request: Wanted, always: string | undefined): Promise<PermissionDecision> | undefined
  /** Whether something was refused because nobody could be asked. */
  readonly refused: boolean
}

export function permission(cli: Cli, { allowAll }: { readonly allowAll: boolean }): Permission {
  const asked = new Map<string, PermissionRequest>()
  let refused = false
  return {
    get refused() {
      return refused
    },
    policy(request, { mustAsk = false, leavesSandbox = false, doubt }) {
      if (allowAll && !mustAsk)
        return { kind: 'allow', by: 'policy', because: { mode: 'allow-all' } }
      if (!cli.canAsk) {
        refused = true
        cli.out.note(
          yellow('refused '),
          wish(request),
          dim(
            doubt !== undefined
              ? ` (it may do what ${doubt} denies, and nobody is there to ask)`
              : leavesSandbox
                ? ' outside of the sandbox (nobody to ask; a rule outside(program) allows it)'
                : mustAsk
                  ? ' (it belongs to Reprise itself, and nobody is there to ask)'
                  : ' (nobody to ask; --allow-all allows it)',
          ),
        )
        return { kind: 'deny', by: 'nobody' }
      }
      asked.set(request.toolCallId, request)
      return 'ask'
    },
    answer({ toolCallId }, always) {
      const request = toolCallId === undefined ? undefined : asked.get(toolCallId)
      if (request === undefined) return undefined
      asked.delete(request.toolCallId)
      return askPerson(cli, request, always)
    },
    answerFar(request, always) {
      const leavesSandbox = request.kind === 'shell' && request.requestSandboxBypass === true
      if (allowAll && !leavesSandbox) return Promise.resolve({ kind: 'allow', by: 'person' })
      if (cli.canAsk) return askPerson(cli, request, always)
      cli.out.note(yellow('? '), wish(request), dim(' (it waits for an answer there)'))
      return undefined
    },
  }
}

const MOST_LINES = 40

async function askPerson(
  cli: Cli,
  request: Wanted,
  always: string | undefined,
): Promise<PermissionDecision> {
  cli.out.note(yellow('? '), bold(wish(request)))
  const lines = bodyOf(request).split('\n')
  for (const line of lines.slice(0, MOST_LINES)) if (line !== '') cli.out.note('  ', line)
  if (lines.length > MOST_LINES) cli.out.note(dim(`  … ${lines.length - MOST_LINES} more lines`))
  if (always !== undefined) cli.out.note(dim(`  always: ${always}, until this ends`))
  const question = always === undefined ? '[y]es, [n]o:' : '[y]es, [n]o, [a]lways:'
  for (;;) {
    const answer = await ask(cli, `Allow it? ${question}`)
    const decision = decisionOf(answer, always !== undefined)
    if (decision !== undefined) return decision
    cli.out.note(dim('  That is no answer. Behind no you may say why, or what to do instead.'))
  }
}

/** A closed input is a no; undefined for words that are no answer, which may have been typed for something else. */
function decisionOf(answer: string, offersAlways: boolean): PermissionDecision | undefined {
  if (/^y(es)?$/i.test(answer)) return { kind: 'allow', by: 'person' }
  if (offersAlways && /^a(lways)?$/i.test(answer))
    return { kind: 'allow-for-session', by: 'person' }
  const [no, feedback] = /^(?:no?(?:[\s,:]+(.*))?)?$/is.exec(answer) ?? []
  return no === undefined ? undefined : { kind: 'deny', by: 'person', ...defined({ feedback }) }
}

/** As the log has it. */
type Wanted = Payload<'permission.requested'>['permissionRequest']

type Wishes = {
  readonly [K in Wanted['kind']]: (request: Extract<Wanted, { kind: K }>) => string
}

const wishes: Wishes = {
  shell: ({ fullCommandText }) => `run ${fullCommandText}`,
  write: ({ fileName }) => `write ${fileName}`,
  read: ({ path }) => `read ${path}`,
  url: ({ url }) => `fetch ${url}`,
  mcp: (request) => `call ${serverTool(request)} of ${request.serverName}`,
  memory: ({ fact }) => `remember ${fact}`,
  'custom-tool': ({ toolName }) => `call ${toolName}`,
  hook: ({ toolName }) => `go on with ${toolName} after a hook`,
  'extension-management': ({ operation, extensionName }) =>
    `${operation} the extension ${extensionName ?? ''}`,
  factory: ({ operation, name }) => `${operation} the factory ${name}`,
  'extension-permission-access': ({ extensionName, capabilities }) =>
    `let ${extensionName} use ${capabilities.join(', ')}`,
  'extension-env-access': ({ extensionName, environmentVariables }) =>
    `let ${extensionName} read ${environmentVariables.join(', ')}`,
}

/** What the agent wants to do, in words. */
export function wish<K extends Wanted['kind']>(request: Extract<Wanted, { kind: K }>): string {
  const say: ((request: Extract<Wanted, { kind: K }>) => string) | undefined =
    wishes[request.kind as K]
  return say === undefined ? request.kind : say(request)
}

const bodyOf = (request: Wanted): string => {
  if (request.kind === 'write') return request.diff
  if (request.kind === 'shell') return request.warning ?? ''
  if ('args' in request && request.args !== undefined) return JSON.stringify(request.args, null, 2)
  return ''
}
