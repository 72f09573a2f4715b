/** Permissions: who waits for one, the answer, and how much is allowed without asking. */
import { z } from 'zod'
import { sessionMethod, type Methods } from '../method.ts'
import type { Answer } from '../permissions.ts'
import { approval, forgetApprovals } from './permission-places.ts'

export const permissionMethods: Methods = {
  'session.permissions.handlePendingPermissionRequest': sessionMethod(
    'Decides. The first answer counts.',
    {
      requestId: z.string(),
      result: z.looseObject({
        kind: z.string(),
        feedback: z.string().optional(),
        approval: approval.optional(),
      }),
    },
    async ({ permissions, extensionQuestions, ops }, { requestId, result }) => ({
      success:
        extensionQuestions.answer(requestId, result as Answer) ||
        (await permissions.answer(ops, requestId, result as Answer)),
    }),
  ),
  'session.permissions.pendingRequests': sessionMethod(
    'What waits for a decision.',
    ({ permissions, extensionQuestions }) => ({
      items: [...permissions.pending(), ...extensionQuestions.pending()],
    }),
  ),
  'session.permissions.setMode': sessionMethod(
    'Asks for everything, or for nothing. Holds until the session is closed.',
    { mode: z.enum(['manual', 'assisted', 'allow-all']) },
    ({ permissions }, { mode }) => {
      permissions.mode = mode
      return { success: true, mode }
    },
  ),
  'session.permissions.getMode': sessionMethod('Which of these it is.', ({ permissions }) => ({
    mode: permissions.mode,
  })),
  'session.permissions.resetSessionApprovals': sessionMethod(
    'Forgets what was approved for the session.',
    { includeLocation: z.boolean().optional().describe('And what was allowed for its place.') },
    async (session, { includeLocation = false }, call) => {
      await forgetApprovals(session, includeLocation, call)
      return { success: true }
    },
  ),
}
