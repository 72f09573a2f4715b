/** What the next line answers: how it is asked in lines, and what an answer to it means. Pure. */
import type { PermissionDecision } from '../../../engine/agent.ts'
import type { Ask } from '../../../state/asks.ts'
import type { Dialog, Option, Reply } from '../model/dialog.ts'
import type { Model } from '../model/model.ts'
import { titleOf } from '../picker/picker.ts'
import type { Picker, PickerDeed } from '../picker/picker.ts'
import { works } from '../view/picker.ts'
import { ago } from '../view/text.ts'

export type Question =
  | { readonly kind: 'dialog'; readonly dialog: Dialog }
  | { readonly kind: 'picker'; readonly picker: Picker }
  | { readonly kind: 'ask'; readonly ask: Ask }

export type Answer =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'pick'; readonly deed: PickerDeed; readonly place: number }
  | { readonly kind: 'narrow'; readonly filter: string }
  | { readonly kind: 'decide'; readonly decision: PermissionDecision['kind'] }
  | { readonly kind: 'say'; readonly text: string | undefined }

/** In the order in which the screen gives keys to them. */
export function questionIn({ dialog, picker, asks: [ask] }: Model): Question | undefined {
  if (dialog !== undefined) return { kind: 'dialog', dialog }
  if (picker !== undefined)
    return picker.rows === undefined ? undefined : { kind: 'picker', picker }
  return ask && { kind: 'ask', ask }
}

export function isSame(one: Question | undefined, other: Question | undefined): boolean {
  if (one?.kind === 'dialog')
    return other?.kind === 'dialog' && one.dialog.title === other.dialog.title
  if (one?.kind === 'picker')
    return other?.kind === 'picker' && one.picker.shown === other.picker.shown
  if (one?.kind === 'ask') return other?.kind === 'ask' && one.ask.requestId === other.ask.requestId
  return other === undefined
}

/** When it is left without an answer. */
export function unanswered(question: Question): Answer {
  if (question.kind === 'dialog') return { kind: 'reply', reply: undefined }
  if (question.kind === 'picker') return { kind: 'pick', deed: 'close', place: 0 }
  return question.ask.kind === 'permission'
    ? { kind: 'decide', decision: 'deny' }
    : { kind: 'say', text: undefined }
}

export function questionTexts(question: Question, now: Date): string[] {
  if (question.kind === 'dialog') return dialogTexts(question.dialog)
  if (question.kind === 'picker') return pickerTexts(question.picker, now)
  const { ask } = question
  if (ask.kind === 'permission')
    return [ask.what, ask.body, 'Allow it? yes, no, or always in this session.'].filter(Boolean)
  const how = ask.choices.length === 0 ? 'Your answer?' : 'A number, or an answer in words?'
  return [ask.what, ...numbered(ask.choices.map((label) => ({ label }))), how]
}

/** Undefined when the line is no answer to it. */
export function answerTo(question: Question, given: string): Answer | undefined {
  const line = given.trim()
  if (question.kind === 'picker') return pickerAnswer(question.picker, line)
  if (question.kind === 'ask') return askAnswer(question.ask, line)
  const { dialog } = question
  if (dialog.kind === 'confirm') {
    const said = yesOrNo(line === '' ? 'no' : line)
    return said === undefined ? undefined : { kind: 'reply', reply: said }
  }
  if (line === '') return unanswered(question)
  if (dialog.kind === 'line') return { kind: 'reply', reply: given }
  return choiceAnswer(dialog, line)
}

type ChoiceDialog = Extract<Dialog, { kind: 'choice' }>

function dialogTexts(dialog: Dialog): string[] {
  if (dialog.kind === 'confirm') return [dialog.title, 'Yes or no?']
  if (dialog.kind === 'line')
    return [
      dialog.title,
      ...(dialog.text === '' ? [] : [`Now: ${dialog.text}`]),
      'A line is taken as it is, an empty one leaves.',
    ]
  const [first, ...more] = dialog.deeds ?? [['enter', 'chooses']]
  const others = more.map(([key, what]) => `, ${key} behind it ${what}`)
  return [
    dialog.title,
    ...numbered(dialog.options),
    `A number ${first?.[1] ?? ''}${others.join('')}. An empty line leaves.`,
  ]
}

function choiceAnswer(dialog: ChoiceDialog, line: string): Answer | undefined {
  if (dialog.deeds === undefined) {
    const place = placeOf(dialog.options, line)
    return place === undefined ? undefined : { kind: 'reply', reply: place }
  }
  const [word = '', deed = 'enter'] = line.split(/\s+/)
  const place = placeOf(dialog.options, word)
  if (place === undefined || !dialog.deeds.some(([key]) => key === deed)) return undefined
  return { kind: 'reply', reply: { place, deed } }
}

/** By its number, or by how its label begins when no other begins so. */
function placeOf(options: readonly Option[], word: string): number | undefined {
  if (options[Number(word) - 1] !== undefined) return Number(word) - 1
  const beginning = word.toLowerCase()
  const [place, another] = options.flatMap(({ label }, at) =>
    label.toLowerCase().startsWith(beginning) ? [at] : [],
  )
  return another === undefined ? place : undefined
}

const MOST_LISTED = 20
const pickerDeeds: readonly PickerDeed[] = ['open', 'fork', 'rename', 'delete']

function pickerTexts({ shown, filter, rows = [] }: Picker, now: Date): string[] {
  if (rows.length === 0) return ['There are no sessions yet. An empty line leaves.']
  const listed = shown.slice(0, MOST_LISTED).map(({ session, work }) => ({
    label: titleOf(session),
    detail: work === undefined ? ago(session.modifiedAt, now) : works[work],
  }))
  const more = shown.length - listed.length
  return [
    filter === '' ? 'Sessions' : `Sessions with "${filter}": ${shown.length} of ${rows.length}`,
    ...numbered(listed),
    ...(more > 0 ? [`${more} more.`] : []),
    'A number opens one, with fork, rename or delete behind it that is done. Words narrow the list, an empty line leaves.',
  ]
}

function pickerAnswer({ shown }: Picker, line: string): Answer | undefined {
  if (line === '') return { kind: 'pick', deed: 'close', place: 0 }
  const [, number, word = 'open'] = /^(\d+)(?:\s+(\w+))?$/.exec(line) ?? []
  const deed = pickerDeeds.find((each) => each === word)
  const place = Number(number) - 1
  if (deed !== undefined && shown[place] !== undefined) return { kind: 'pick', deed, place }
  return { kind: 'narrow', filter: line }
}

function askAnswer(ask: Ask, line: string): Answer | undefined {
  if (ask.kind === 'question')
    return line === '' ? undefined : { kind: 'say', text: ask.choices[Number(line) - 1] ?? line }
  if (/^a(lways)?$/i.test(line)) return { kind: 'decide', decision: 'allow-for-session' }
  const isAllowed = yesOrNo(line)
  return isAllowed === undefined
    ? undefined
    : { kind: 'decide', decision: isAllowed ? 'allow' : 'deny' }
}

const yesOrNo = (line: string): boolean | undefined =>
  /^y(es)?$/i.test(line) ? true : /^no?$/i.test(line) ? false : undefined

const numbered = (options: readonly Option[]): string[] =>
  options.map(
    ({ label, detail }, at) =>
      `${at + 1}. ${label.trim()}${detail === undefined || detail === '' ? '' : ` (${detail})`}`,
  )
