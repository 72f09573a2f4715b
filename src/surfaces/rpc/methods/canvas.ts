/** Panels that clients show beside a session, for programs; a model reaches them by tools. */
import { z } from 'zod'
import { declareCanvases } from '../join-session.ts'
import { sessionMethod, type Methods } from '../method.ts'
import { offeredCanvas } from '../session-config.ts'

const instanceId = z.string().describe('The panel, by the name with which it was opened.')

const connectionId = z.string().describe('A name that the client gives to what it declares.')

export const canvasMethods: Methods = {
  'session.canvas.provider.register': sessionMethod(
    'Declares more panels, which the client shows itself.',
    {
      connectionId,
      info: z.looseObject({ extensionId: z.string().min(1), extensionName: z.string().optional() }),
      canvases: z.array(offeredCanvas),
    },
    (session, { connectionId: name, info, canvases }, { client }) => {
      const { extensionId, extensionName } = info
      declareCanvases(session, client, { connectionId: name, extensionId, extensionName, canvases })
    },
  ),
  'session.canvas.provider.unregister': sessionMethod(
    'Declares them no more.',
    { connectionId },
    (session, { connectionId: name }, { client }) =>
      declareCanvases(session, client, { connectionId: name, extensionId: '', canvases: [] }),
  ),
  'session.canvas.list': sessionMethod('The panels that clients declare.', ({ canvases }) => ({
    canvases: canvases.providers.list(),
  })),
  'session.canvas.listOpen': sessionMethod('The panels that are open.', ({ canvases }) => ({
    openCanvases: canvases.listOpen(),
  })),
  'session.canvas.open': sessionMethod(
    'Opens a panel, or brings the one of that name to the front.',
    {
      canvasId: z.string(),
      instanceId,
      extensionId: z.string().optional().describe('Where several clients declare it.'),
      input: z.unknown().optional(),
    },
    ({ canvases }, { canvasId, instanceId: name, extensionId, input }) =>
      canvases.open({ canvasId, instanceId: name, extensionId, input }),
  ),
  'session.canvas.close': sessionMethod(
    'Closes a panel: the session no longer has it.',
    { instanceId },
    ({ canvases }, { instanceId: name }) => canvases.close(name),
  ),
  'session.canvas.action.invoke': sessionMethod(
    'Has the client of a panel carry out an action in it.',
    { instanceId, actionName: z.string(), input: z.unknown().optional() },
    async ({ canvases }, { instanceId: name, actionName, input }) => ({
      result: (await canvases.invoke({ instanceId: name, actionName, input })) ?? null,
    }),
  ),
}
