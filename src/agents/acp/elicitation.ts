/** `elicitation/create`: a form becomes questions to a person, one a field. What nobody answers is declined. */
import type { Desk } from './desk.ts'
import { isRaw, listIn, rawOf, textIn } from './raw.ts'
import type { Raw } from './raw.ts'

const DECLINED = { action: 'decline' }

export async function elicit(desk: Desk, params: Raw): Promise<Raw> {
  if (params['mode'] !== 'form') return DECLINED
  const schema = rawOf(params['requestedSchema'])
  const fields = Object.entries(rawOf(schema['properties']))
  const message = textIn(params, 'message') ?? 'The agent asks:'
  const content: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const value = await askFor(desk, message, name, rawOf(field))
    if (value === undefined) return DECLINED
    content[name] = value
  }
  return { action: 'accept', content }
}

async function askFor(desk: Desk, message: string, name: string, field: Raw): Promise<unknown> {
  const label = textIn(field, 'title') ?? textIn(field, 'description') ?? name
  const choices = choicesOf(field)
  const answer = await desk.turn.ask({
    question: `${message}\n${label}`,
    ...(choices.length > 0 && { choices: choices.map(({ label: text }) => text) }),
  })
  if (answer === undefined) return undefined
  const chosen = choices.find(({ label: text }) => text === answer)
  return chosen === undefined ? converted(field, answer) : chosen.value
}

type Choice = { readonly label: string; readonly value: unknown }

function choicesOf(field: Raw): Choice[] {
  if (field['type'] === 'boolean') {
    return [
      { label: 'yes', value: true },
      { label: 'no', value: false },
    ]
  }
  const plain = Array.isArray(field['enum']) ? field['enum'] : []
  return [
    ...plain.filter((value) => typeof value === 'string').map((value) => ({ label: value, value })),
    ...listIn(field, 'oneOf').flatMap((each) =>
      isRaw(each) && each['const'] !== undefined
        ? [{ label: textIn(each, 'title') ?? String(each['const']), value: each['const'] }]
        : [],
    ),
  ]
}

/** Undefined when the answer is none that the field can hold. */
function converted({ type }: Raw, answer: string): unknown {
  if (type === 'boolean') return undefined
  if (type === 'array') return answer.split(',').map((part) => part.trim())
  if (type !== 'number' && type !== 'integer') return answer
  const number = Number(answer)
  if (answer.trim() === '' || !Number.isFinite(number)) return undefined
  return type === 'integer' && !Number.isInteger(number) ? undefined : number
}
