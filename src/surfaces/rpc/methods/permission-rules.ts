/** Permissions of a session as rules: what is allowed and denied without a question. */
import { z } from 'zod'
import { ruleTrouble } from '../../../config/rule-texts.ts'
import { EngineError } from '../../../engine/errors.ts'
import { parseRule } from '../../../engine/permission/rule.ts'
import { defined } from '../../../lib/defined.ts'
import { sessionMethod, type Methods } from '../method.ts'
import { changed, textOf, type SessionRules } from '../session-rules.ts'

const rule = z.looseObject({ kind: z.string().min(1), argument: z.string().nullish() })
const rules = z.array(rule)
const done = { success: true }

export const permissionRuleMethods: Methods = {
  'session.permissions.setApproveAll': sessionMethod(
    'Allows everything that no rule denies, or asks again. Holds until the session is closed.',
    { enabled: z.boolean() },
    ({ permissions }, { enabled }) => {
      permissions.rules.approvesAll = enabled
      return done
    },
  ),
  'session.permissions.configure': sessionMethod(
    "Says anew what is allowed and denied; what is left out stays. The user's own rules deny what they deny.",
    {
      approveAllToolPermissionRequests: z.boolean().optional(),
      approveAllReadPermissionRequests: z.boolean().optional(),
      rules: z.looseObject({ approved: rules, denied: rules }).optional(),
      paths: z
        .looseObject({
          unrestricted: z.boolean().optional(),
          additionalDirectories: z.array(z.string()).optional(),
          includeTempDirectory: z.boolean().optional(),
        })
        .optional(),
      urls: z
        .looseObject({
          unrestricted: z.boolean().optional(),
          initialAllowed: z.array(z.string()).optional(),
        })
        .optional(),
    },
    ({ permissions }, said) =>
      safely(permissions.rules, (known) => {
        if (said.rules !== undefined) {
          known.approved = said.rules.approved
          known.denied = said.rules.denied
        }
        if (said.paths !== undefined) known.paths = said.paths
        if (said.urls !== undefined) known.urls = said.urls
        known.approvesAll = said.approveAllToolPermissionRequests ?? known.approvesAll
        known.readsAll = said.approveAllReadPermissionRequests ?? known.readsAll
      }),
  ),
  'session.permissions.modifyRules': sessionMethod(
    'Adds and removes rules that allow, for the session or for the place where it works.',
    {
      scope: z.enum(['session', 'location']),
      add: rules.optional(),
      remove: rules.optional(),
      removeAll: z.boolean().optional(),
    },
    ({ permissions }, { scope, add, remove, removeAll }) =>
      safely(permissions.rules, (known) => {
        const change = defined({ add, remove, removeAll })
        if (scope === 'session') known.approved = changed(known.approved, change)
        else known.ofPlace = changed(known.ofPlace, change)
      }),
  ),
  'session.permissions.setRequired': sessionMethod(
    'Whether this client is asked for permissions.',
    { required: z.boolean() },
    ({ members, permissions, answerWait }, { required }, { client }) => {
      const member = members.of(client)
      if (member !== undefined) members.put({ ...member, answersPermissions: required })
      permissions.alignAnew()
      answerWait.align()
      return done
    },
  ),
  'session.permissions.notifyPromptShown': sessionMethod(
    'Says that a person sees the question now. It goes to the log of the server.',
    { message: z.string() },
    ({ id, parts }, { message }) => {
      parts.log('info', `Session ${id}: a person is asked: ${message}`)
      return done
    },
  ),
  'session.permissions.urls.setUnrestrictedMode': sessionMethod(
    'Lets every address be fetched without a question, or not.',
    { enabled: z.boolean() },
    ({ permissions }, { enabled }) => {
      permissions.rules.urls = { ...permissions.rules.urls, unrestricted: enabled }
      return done
    },
  ),
}

/** A rule that cannot be read changes nothing, and is refused before it could let something through. */
async function safely(
  known: SessionRules,
  change: (known: SessionRules) => void,
): Promise<typeof done> {
  const before = { ...known }
  try {
    change(known)
    const { allow = [], deny = [] } = await known.now()
    for (const text of [...allow, ...deny]) parseRule(text)
    for (const rule of [...known.approved, ...known.denied]) {
      const trouble = ruleTrouble(textOf(rule))
      if (trouble !== undefined) throw new EngineError('invalid', `${trouble} Nothing was changed.`)
    }
  } catch (error) {
    Object.assign(known, before)
    throw error
  }
  return done
}
