/** The clients of one session, and what each of them can do for it. */
import type { Client } from './client.ts'

export type Member = {
  readonly client: Client
  /** Wants every piece of an answer as it comes. */
  readonly streams: boolean
  readonly answersPermissions: boolean
  readonly answersQuestions: boolean
  readonly fillsForms: boolean
  /** Shows plans that are ready, and says what becomes of them. */
  readonly approvesPlans: boolean
  readonly runsHooks: boolean
  /** Rewrites sections of the system prompt. */
  readonly transformsPrompt: boolean
  readonly tools: readonly OfferedTool[]
  readonly commands: readonly OfferedCommand[]
  /** Panels are drawn where it is. */
  readonly showsCanvases: boolean
  readonly canvases: readonly OfferedCanvas[]
  /** What it calls itself as the one who declares them; else it is known as long as it is connected. */
  readonly canvasProvider?: { readonly id: string; readonly name?: string }
}

/** A tool that lives with a client. */
export type OfferedTool = {
  readonly name: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly skipPermission: boolean
  /** Where we have a tool of the same name, the client's is used. */
  readonly isInsteadOfOurs: boolean
}

export type OfferedCommand = { readonly name: string; readonly description: string }

/** A panel that a client can show. */
export type OfferedCanvas = {
  readonly canvasId: string
  readonly displayName: string
  readonly description: string
  readonly icon?: string
  readonly inputSchema?: unknown
  readonly actions?: readonly CanvasAction[]
}

export type CanvasAction = {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: unknown
}

export interface Members {
  readonly size: number
  all(): readonly Member[]
  of(client: Client): Member | undefined
  /** The client that brought what is marked so, while it is there. */
  whoBrought(given: { readonly by?: symbol | undefined }): Client | undefined
  /** Comes, or is known anew with what it can do now. */
  put(member: Member): void
  remove(client: Client): Member | undefined
  some(can: (member: Member) => boolean): boolean
}

export function createMembers(): Members {
  const byClient = new Map<Client, Member>()
  return {
    get size() {
      return byClient.size
    },
    all: () => [...byClient.values()],
    of: (client) => byClient.get(client),
    whoBrought: ({ by }) =>
      by === undefined ? undefined : byClient.keys().find(({ key }) => key === by),
    put: (member) => void byClient.set(member.client, member),
    remove(client) {
      const member = byClient.get(client)
      byClient.delete(client)
      return member
    },
    some: (can) => byClient.values().some(can),
  }
}
