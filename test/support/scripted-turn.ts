/** A turn without an engine, for tests: leave is given by a script, and what an agent yields becomes a history. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  Agent,
  AgentItem,
  PermissionDecision,
  PermissionRequest,
  Turn,
} from '../../src/engine/agent.ts'
import type { Draft, Event } from '../../src/format/event.ts'
import type { EventId, SessionId } from '../../src/format/ids.ts'
import type { Notice } from '../../src/format/notice.ts'
import { projectModelContext } from '../../src/state/context-folder.ts'
import type { Placed } from '../../src/state/positioned-event.ts'
import { createFolder } from '../../src/state/fold.ts'

export type Place = { readonly cwd: string; readonly workspacePath: string } & AsyncDisposable

export async function temporaryPlace(): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'reprise-agents-')))
  const cwd = join(root, 'project')
  const workspacePath = join(root, 'session')
  await mkdir(cwd)
  await mkdir(workspacePath)
  return {
    cwd,
    workspacePath,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

export interface Script {
  readonly drafts: Draft[]
  readonly notices: Notice[]
  readonly asked: PermissionRequest[]
  turn(prompt: string): Turn
  /** Takes what comes until the end, and gives what it returned. */
  take<Result>(items: AsyncGenerator<AgentItem, Result, undefined>): Promise<Result>
  send(agent: Agent, prompt: string, signal?: AbortSignal): Promise<string>
  context(): Turn['context']
}

const allow: PermissionDecision = { kind: 'allow', by: 'person' }

export function script(
  place: Omit<Place, keyof AsyncDisposable>,
  decide: (request: PermissionRequest) => PermissionDecision | Promise<PermissionDecision> = () =>
    allow,
): Script {
  const drafts: Draft[] = []
  const notices: Notice[] = []
  const asked: PermissionRequest[] = []

  const records = () => drafts.map(placed)
  const context = () => projectModelContext(records())

  function keep(item: AgentItem): void {
    if ('draft' in item) drafts.push(item.draft)
    else notices.push(item.notice)
  }

  function turn(prompt: string): Turn {
    const message = { content: prompt, messageId: `m${drafts.length}`, interactionId: 'i1' }
    drafts.push({ type: 'user.message', data: message })
    const folder = createFolder()
    for (const record of records()) folder.push(record)
    return {
      sessionId: '00000000-0000-4000-8000-000000000000' as SessionId,
      turnId: `t${drafts.length}`,
      message,
      messageEventId: eventId(drafts.length - 1),
      context: context(),
      state: folder.state(),
      cwd: place.cwd,
      workspacePath: place.workspacePath,
      permit: async (request) => {
        asked.push(request)
        return decide(request)
      },
      ask: () => Promise.resolve(undefined),
      steering: () => [],
      readBlob: () => Promise.resolve(undefined),
      hook: () => Promise.resolve({ notes: [] }),
    }
  }

  return {
    drafts,
    notices,
    asked,
    turn,
    context,
    async take(items) {
      for (;;) {
        const next = await items.next()
        if (next.done) return next.value
        keep(next.value)
      }
    },
    async send(agent, prompt, signal = new AbortController().signal) {
      for await (const item of agent.run(turn(prompt), signal)) keep(item)
      const last = drafts.at(-1)
      return last?.type === 'assistant.message' ? last.data.content : ''
    },
  }
}

const eventId = (index: number) => `e${index}` as EventId

const placed = (draft: Draft, index: number): Placed => ({
  event: {
    ...draft,
    id: eventId(index),
    timestamp: '2026-01-01T00:00:00.000Z',
    parentId: index === 0 ? null : eventId(index - 1),
  } as Event,
  start: index * 100,
  end: index * 100 + 100,
})
