/** What the next line answers: how it is asked in lines, and what a line means to it. */
import { ago } from '../../../lib/quantities.ts'
import { defined } from '../../../lib/defined.ts'
import { permissionAnswers, type Ask } from '../../../state/asks.ts'
import { sessionTitle } from '../../../state/session-title.ts'
import type { App } from '../app.ts'
import type { Dialog, Option } from '../model/dialog.ts'
import type { Picker } from '../picker/picker.ts'
import { attentionMarks } from '../../../state/attention.ts'

export type Question = {
  /** The same for as long as it need not be asked again. */
  readonly key: unknown
  /** The request of a turn, when it is one. */
  readonly requestId?: string
  texts(now: Date): readonly string[]
  /** False when the line is no answer to it. */
  answer(line: string): boolean
  /** Nobody asked for it: a line that is no answer leaves it, and is a message. */
  readonly givesWay?: boolean
  /** Leaves it without an answer. */
  leave(): void
}

/** In the order in which the screen gives keys to them. */
export function questionIn(app: App): Question | undefined {
  const { dialog, picker, asks } = app.model()
  const [ask] = asks
  if (dialog !== undefined) return dialogQuestion(app, dialog)
  if (picker !== undefined)
    return picker.rows === undefined ? undefined : pickerQuestion(app, picker)
  return ask && askQuestion(app, ask)
}

function dialogQuestion({ dialogs }: App, dialog: Dialog): Question {
  const leave = () => dialogs.reply(undefined)
  return {
    key: dialog.title,
    givesWay: dialog.kind === 'choice' && dialog.givesWay === true,
    texts: () => [dialog.title, ...dialogTexts(dialog)],
    leave,
    answer(line) {
      const reply = line.trim() === '' ? 'leave' : replyTo(dialog, line.trim())
      if (reply === 'leave') leave()
      else if (reply !== undefined) dialogs.reply(reply.value)
      return reply !== undefined
    },
  }
}

function dialogTexts(dialog: Dialog): string[] {
  if (dialog.kind === 'confirm') return ['Yes or no?']
  if (dialog.kind === 'line')
    return [
      ...(dialog.text === '' ? [] : [`Now: ${dialog.text}`]),
      'A line is taken as it is, an empty one leaves.',
    ]
  const [[, first] = ['enter', 'chooses'], ...more] = dialog.deeds ?? []
  const others = more.map(([key, what]) => `, ${key} behind it ${what}`)
  const leaves =
    dialog.givesWay === true ? 'An empty line, or a message, leaves.' : 'An empty line leaves.'
  return [...numbered(dialog.options), `A number ${first}${others.join('')}. ${leaves}`]
}

function replyTo(dialog: Dialog, line: string) {
  if (dialog.kind === 'line') return { value: line }
  if (dialog.kind === 'confirm') return yesOrNo(line)
  const { options, deeds } = dialog
  const [word = '', deed = 'enter'] = deeds === undefined ? [line] : line.split(/\s+/)
  const place = placeOf(options, word)
  if (place === undefined || deeds?.every(([key]) => key !== deed)) return undefined
  return { value: deeds === undefined ? place : { place, deed } }
}

/** By its number, or by how its label begins when no other begins so. */
function placeOf(options: readonly Option[], word: string): number | undefined {
  if (options[Number(word) - 1] !== undefined) return Number(word) - 1
  const [place, another] = options.flatMap(({ label }, at) =>
    label.toLowerCase().startsWith(word.toLowerCase()) ? [at] : [],
  )
  return another === undefined ? place : undefined
}

const MOST_LISTED = 20

function pickerQuestion({ picker: list, track }: App, { shown, filter, rows }: Picker): Question {
  const leave = () => track(list.perform('close', 0))
  return {
    key: shown,
    texts: (now) => [
      filter === '' ? 'Sessions' : `Sessions with "${filter}": ${shown.length} of ${rows?.length}`,
      ...numbered(
        shown.slice(0, MOST_LISTED).map(({ session, attention }) => ({
          label: sessionTitle(session),
          detail:
            attention === undefined
              ? ago(session.modifiedAt, now)
              : attentionMarks[attention].words,
        })),
      ),
      ...(shown.length > MOST_LISTED ? [`${shown.length - MOST_LISTED} more.`] : []),
      'A number opens one, with fork, rename or delete behind it that is done. Words narrow the list, an empty line leaves.',
    ],
    leave,
    answer(line) {
      const [, number, word = 'open'] = /^\s*(\d+)(?:\s+(\w+))?\s*$/.exec(line) ?? []
      const deed = (['open', 'fork', 'rename', 'delete'] as const).find((each) => each === word)
      const place = Number(number) - 1
      if (line.trim() === '') leave()
      else if (deed !== undefined && shown[place] !== undefined) track(list.perform(deed, place))
      else list.narrow(line.trim())
      return true
    },
  }
}

function askQuestion({ conversation }: App, ask: Ask): Question {
  const { requestId } = ask
  if (ask.kind === 'permission') return permissionQuestion(conversation, ask)
  const { choices } = ask
  return {
    key: requestId,
    requestId,
    texts: () => [
      ask.what,
      ...numbered(choices.map((label) => ({ label }))),
      choices.length === 0 ? 'Your answer?' : 'A number, or an answer in words?',
    ],
    leave: () => conversation.answerQuestion(requestId, undefined),
    answer(line) {
      if (line.trim() === '') return false
      conversation.answerQuestion(requestId, choices[Number(line) - 1] ?? line)
      return true
    },
  }
}

/** Its number, or its first word; behind a no may stand why. */
function permissionQuestion(
  conversation: App['conversation'],
  ask: Extract<Ask, { kind: 'permission' }>,
): Question {
  const { requestId } = ask
  const answers = permissionAnswers(ask)
  return {
    key: requestId,
    requestId,
    texts: () =>
      [
        ask.what,
        ask.body,
        ...numbered(answers.map(({ says }) => ({ label: says }))),
        'Allow it? A number, yes or no; behind no you may say why.',
      ].filter(Boolean),
    leave: () => conversation.answer(requestId, { kind: 'deny' }),
    answer(line) {
      const [, word = '', feedback = ''] = /^\s*(\w+)[\s,:]*(.*)$/.exec(line) ?? []
      const said = yesOrNo(word)?.value
      const chosen = /^a(lways)?$/i.test(word)
        ? answers.find(({ kind }) => kind === 'allow-for-session')
        : said === undefined
          ? answers[Number(word) - 1]
          : answers.find(
              ({ kind, isLasting }) => kind === (said ? 'allow' : 'deny') && isLasting !== true,
            )
      const isWhole = chosen?.kind === 'deny' || feedback === ''
      if (chosen === undefined || !isWhole || (chosen.takesReason === true && feedback === ''))
        return false
      const reason = feedback === '' ? {} : { feedback }
      conversation.answer(requestId, {
        kind: chosen.kind,
        ...reason,
        ...defined({ option: chosen.option }),
      })
      return true
    },
  }
}

function yesOrNo(line: string): { readonly value: boolean } | undefined {
  if (/^y(es)?$/i.test(line)) return { value: true }
  return /^no?$/i.test(line) ? { value: false } : undefined
}

const numbered = (options: readonly Option[]): string[] =>
  options.map(
    ({ label, detail = '' }, at) =>
      `${at + 1}. ${label.trim()}${detail === '' ? '' : ` (${detail})`}`,
  )
