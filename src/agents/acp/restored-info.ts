/** Who answers from here on, how it came to know the conversation, and what it was given: an event of the log. */
import type { Draft } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import type { Restored, Rung } from './restoring.ts'
import type { About } from './introduce.ts'

const words: Readonly<Record<Rung, string>> = {
  new: 'in a new session of its own',
  resume: 'in its own session, which it resumed',
  load: 'in its own session, which it loaded; what it replayed is what this log says',
  fork: 'in a fork of its own session; what it replayed is what this log says',
  store: 'in a copy of its own session up to here; what it replayed is what this log says',
  'system-prompt': 'in a new session of its own; its system prompt holds the conversation so far',
  resource: 'in a new session of its own; an embedded resource gave it the conversation so far',
  text: 'in a new session of its own; a text before the message gave it the conversation so far',
}

type Who = { readonly name: string; readonly ownRules?: string; readonly requiredMode?: string }

export function restoredInfo(
  { name, ownRules, requiredMode }: Who,
  about: About,
  restored: Restored,
): Draft {
  const { version, capabilities } = about
  const { rung, innerSessionId, tried, given } = restored
  const called = version === undefined ? name : `${name} ${version}`
  const data = {
    infoType: 'agent',
    message: [
      `${called} answers ${words[rung]}.`,
      ...(ownRules === undefined ? [] : [ownRules]),
      ...(requiredMode === undefined
        ? []
        : [`Nobody is there to be asked: it works in its mode "${requiredMode}".`]),
    ].join(' '),
    agent: {
      name,
      ...defined({ title: about.title, version }),
      innerSessionId,
      rung,
      tried,
      ...defined({ given }),
      capabilities,
    },
  }
  return { type: 'session.info', data }
}
