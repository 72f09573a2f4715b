/** Tools by which a model opens panels that connected programs declare, and acts in them. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { ToolFailure, type Deed, type Tool, type ToolResult } from './tools/tool.ts'

type Panels = {
  list(): readonly { readonly canvasId: string; readonly extensionId: string }[]
  open(wish: z.output<typeof openArgs>): Promise<unknown>
  invoke(wish: z.output<typeof actArgs>): Promise<unknown>
}

const extensionId = z
  .string()
  .optional()
  .describe('Who provides it; needed only where several provide a canvas of that name.')
const canvasId = z.string().describe('The kind of panel, by an id of those that were listed.')
const instanceId = z
  .string()
  .describe('The name of one panel, which you choose when you open it and use from then on.')
const input = z
  .unknown()
  .transform((given) => given ?? undefined)
  .optional()
  .describe('A JSON object that fits the schema; null when it takes nothing.')

const kindArgs = z.object({ canvasId, extensionId })
const openArgs = z.object({ canvasId, instanceId, extensionId, input })
const actArgs = z.object({ instanceId, actionName: z.string(), input })

export function canvasTools(panels: Panels): readonly Tool[] {
  const capabilities: Tool<z.output<typeof kindArgs>> = {
    name: 'list_canvas_capabilities',
    description:
      'Tells what a kind of panel takes when it is opened and which actions it has. Takes a canvasId, not the instanceId of a panel that is open.',
    args: kindArgs,
    isReadOnly: true,
    permission: async () => undefined,
    async run({ canvasId: wanted, extensionId: of }) {
      const found = panels
        .list()
        .filter((it) => it.canvasId === wanted && (of ?? it.extensionId) === it.extensionId)
      if (found.length === 0)
        throw new ToolFailure('failed', `No canvas "${wanted}" is registered.`)
      return said(found.length === 1 ? found[0] : found)
    },
  }
  const open: Tool<z.output<typeof openArgs>> = {
    name: 'open_canvas',
    description:
      'Opens a panel for the user, or brings the one of that instanceId to the front. Another instanceId opens another panel of the same kind.',
    args: openArgs,
    isElsewhere: true,
    permission: (args) => asked('open_canvas', 'Open or focus a declared canvas', args),
    run: (args) => done(() => panels.open(args)),
  }
  const act: Tool<z.output<typeof actArgs>> = {
    name: 'invoke_canvas_action',
    description:
      'Carries out an action in a panel that is open, named by the instanceId with which it was opened.',
    args: actArgs,
    isElsewhere: true,
    permission: (args) =>
      asked('invoke_canvas_action', 'Invoke an action on an open canvas instance', args),
    run: (args) => done(async () => ({ result: (await panels.invoke(args)) ?? null })),
  }
  return [capabilities, open, act] as readonly Tool[]
}

const asked = async (toolName: string, toolDescription: string, args: unknown): Promise<Deed> => ({
  kind: 'custom-tool',
  toolName,
  toolDescription,
  args,
})

async function done(work: () => Promise<unknown>): Promise<ToolResult> {
  try {
    return said(await work())
  } catch (error) {
    if (error instanceof EngineError) throw new ToolFailure('failed', error.message)
    throw error
  }
}

const said = (value: unknown): ToolResult => ({ content: JSON.stringify(value, null, 2) })
