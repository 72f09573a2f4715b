/** Extensions: which there are, which of them run in a session, switched on and off. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { defined } from '../../../lib/defined.ts'
import { extensionsOfHome } from '../extensions/found.ts'
import { tell } from '../follow-session.ts'
import { method, sessionMethod, type Methods } from '../method.ts'
import type { ServerParts } from '../parts.ts'

const ids = { ids: z.array(z.string().min(1)) }
const one = { id: z.string().min(1) }

export const extensionMethods: Methods = {
  'extensions.discover': method(
    "The user's own extensions and those of plugins, and whether sessions start them.",
    async ({ server: { parts } }) => {
      const found = await extensionsOfHome(parts)
      const { extensions } = await parts.settings.read()
      const off = new Set(extensions?.disabled ?? [])
      return {
        extensions: found.map(({ plugin, ...each }) => ({
          ...each,
          enabled: !off.has(each.id),
          ...(plugin !== undefined && { plugin: { name: plugin } }),
        })),
        mode: 'load_only',
      }
    },
  ),
  'extensions.enable': method(
    'Sessions that are opened from now on start them.',
    ids,
    ({ server: { parts } }, { ids: wanted }) =>
      setDisabled(parts, (off) => off.filter((each) => !wanted.includes(each))),
  ),
  'extensions.disable': method(
    'Sessions that are opened from now on do not start them.',
    ids,
    ({ server: { parts } }, { ids: wanted }) =>
      setDisabled(parts, (off) => [...new Set([...off, ...wanted])]),
  ),
  'session.extensions.list': sessionMethod(
    'The extensions of a session, where a client asked for them with requestExtensions.',
    ({ extensions }) => ({ extensions: extensions.list() }),
  ),
  'session.extensions.enable': sessionMethod(
    'Starts one in this session, and all others anew.',
    one,
    ({ extensions }, { id }) => extensions.enable(id, true),
  ),
  'session.extensions.disable': sessionMethod(
    'Ends one in this session, and starts the others anew.',
    one,
    ({ extensions }, { id }) => extensions.enable(id, false),
  ),
  'session.extensions.reload': sessionMethod(
    'Ends them, looks which there are, and starts them anew.',
    ({ extensions }) => extensions.reload(),
  ),
  'session.extensions.sendAttachmentsToMessage': sessionMethod(
    'Tells the other clients what an extension wants to be sent with the next message.',
    {
      instanceId: z.string().optional(),
      attachments: z.array(z.looseObject({ type: z.string() })).min(1),
    },
    (session, { instanceId, attachments }, { client }) => {
      const extensionId = client.extension?.id
      if (extensionId === undefined)
        throw new EngineError(
          'invalid',
          'session.extensions.sendAttachmentsToMessage may only be called from an extension-owned connection.',
        )
      const open = session.canvases.listOpen().find((each) => each.instanceId === instanceId)
      if (instanceId !== undefined && open?.extensionId !== extensionId)
        throw new EngineError(
          'not_found',
          `No panel ${instanceId} of this extension is open. Nothing was sent.`,
        )
      const from = {
        extensionId,
        capturedAt: new Date().toISOString(),
        ...defined({ instanceId, canvasId: open?.canvasId }),
      }
      tell(session, {
        type: 'session.extensions.attachments_pushed',
        data: {
          attachments: attachments.map((each) =>
            each.type === 'extension_context' ? { ...each, ...from } : each,
          ),
        },
      })
    },
  ),
}

async function setDisabled(
  { settings }: ServerParts,
  by: (disabled: readonly string[]) => readonly string[],
): Promise<null> {
  await settings.change((config) => {
    const disabled = [...by(config.extensions?.disabled ?? [])]
    return { ...config, extensions: { ...config.extensions, disabled } }
  })
  return null
}
