/** Questions to the person as promises: each is a dialog of the model until a key or a line settles it. */
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { matching, stepDialog, type Dialog, type Option, type Reply } from './model/dialog.ts'
import type { Model } from './model/model.ts'
import type { Message } from './model/message.ts'
import type { Choice, CommandHost } from './commands/command.ts'

type Dialogs = Pick<CommandHost, 'choose' | 'offer' | 'chooseDeed' | 'confirm' | 'ask'> & {
  press(key: string): void
  /** Settles the question as a whole. */
  reply(reply: Reply): void
}

type Look = (place: number) => Promise<readonly string[]>

export function createDialogs(model: () => Model, tell: (message: Message) => void): Dialogs {
  let settle: (reply: Reply) => void = () => {}
  let look: Look | undefined

  const show = (dialog: Dialog, looking?: Look): Promise<Reply> => {
    // One at a time: a question that is pushed aside is left.
    settle(undefined)
    const { promise, resolve } = deferred<Reply>()
    settle = resolve
    look = looking
    tell({ kind: 'dialog', dialog })
    lookAt(dialog)
    return promise
  }

  const lookAt = (dialog: Dialog) => {
    if (dialog.kind !== 'choice' || look === undefined) return
    const place = matching(dialog)[dialog.at]
    if (place === undefined) return
    look(place)
      .then((preview) => {
        const now = model().dialog
        if (
          now?.kind === 'choice' &&
          now.title === dialog.title &&
          matching(now)[now.at] === place
        ) {
          tell({ kind: 'dialog', dialog: { ...now, preview } })
        }
      })
      // A look that fails leaves the choice as it is.
      .catch(() => {})
  }

  const reply = (given: Reply) => {
    const done = settle
    settle = () => {}
    look = undefined
    tell({ kind: 'dialog', dialog: undefined })
    done(given)
  }

  return {
    reply,
    press(key) {
      const { dialog } = model()
      if (dialog === undefined) return
      const step = stepDialog(dialog, key)
      if ('reply' in step) return reply(step.reply)
      tell({ kind: 'dialog', dialog: step.dialog })
      if (step.dialog !== dialog) lookAt(step.dialog)
    },
    async chooseDeed(title, choices, deeds, preview) {
      const chosen = await show(
        { kind: 'choice', title, options: optionsOf(choices), at: 0, filter: '', deeds },
        lookInto(choices, preview),
      )
      if (typeof chosen !== 'object') return undefined
      const choice = choices[chosen.place]
      return choice && { value: choice.value, deed: chosen.deed }
    },
    async choose(title, choices, preview) {
      const place = await show(
        { kind: 'choice', title, options: optionsOf(choices), at: 0, filter: '' },
        lookInto(choices, preview),
      )
      return typeof place === 'number' ? choices[place]?.value : undefined
    },
    async offer(title, choices) {
      const options = optionsOf(choices)
      const place = await show({
        kind: 'choice',
        title,
        options,
        at: 0,
        filter: '',
        givesWay: true,
      })
      return typeof place === 'number' ? choices[place]?.value : undefined
    },
    confirm: async (title) => (await show({ kind: 'confirm', title })) === true,
    async ask(title, initial = '') {
      const text = await show({ kind: 'line', title, text: initial })
      return typeof text === 'string' ? text : undefined
    },
  }
}

const optionsOf = (choices: readonly Choice<unknown>[]): Option[] =>
  choices.map(({ label, detail }) => ({ label, ...defined({ detail }) }))

const lookInto =
  <T>(
    choices: readonly Choice<T>[],
    preview: ((value: T) => Promise<readonly string[]>) | undefined,
  ): Look =>
  async (at) => {
    const choice = choices[at]
    return choice === undefined || preview === undefined ? [] : preview(choice.value)
  }
