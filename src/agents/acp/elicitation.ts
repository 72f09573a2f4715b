/** `elicitation/create`: a form becomes questions to a person, one a field. What nobody answers is declined. */
import type { TurnServices } from './turn-services.ts'
import { isFields, listIn, fieldsOf, textIn, type Fields } from '../../lib/fields.ts'

const DECLINED = { action: 'decline' }

export async function elicit(services: TurnServices, params: Fields): Promise<Fields> {
  if (params['mode'] !== 'form') return DECLINED
  const schema = fieldsOf(params['requestedSchema'])
  const fields = Object.entries(fieldsOf(schema['properties']))
  const message = textIn(params, 'message') ?? 'The agent asks:'
  const content: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const value = await askFor(services, message, name, fieldsOf(field))
    if (value === undefined) return DECLINED
    content[name] = value
  }
  return { action: 'accept', content }
}

async function askFor(
  services: TurnServices,
  message: string,
  name: string,
  field: Fields,
): Promise<unknown> {
  const label = textIn(field, 'title') ?? textIn(field, 'description') ?? name
  const choices = choicesOf(field)
  const answer = await services.turn.ask({
    question: `${message}\n${label}`,
    ...(choices.length > 0 && { choices: choices.map(({ label: text }) => text) }),
  })
  if (answer === undefined) return undefined
  const chosen = choices.find(({ label: text }) => text === answer)
  return chosen === undefined ? converted(field, answer) : chosen.value
}

type Choice = { readonly label: string; readonly value: unknown }

function choicesOf(field: Fields): Choice[] {
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
      isFields(each) && each['const'] !== undefined
        ? [{ label: textIn(each, 'title') ?? String(each['const']), value: each['const'] }]
        : [],
    ),
  ]
}

/** Undefined when the answer is none that the field can hold. */
function converted({ type }: Fields, answer: string): unknown {
  if (type === 'boolean') return undefined
  if (type === 'array') return answer.split(',').map((part) => part.trim())
  if (type !== 'number' && type !== 'integer') return answer
  const number = Number(answer)
  if (answer.trim() === '' || !Number.isFinite(number)) return undefined
  return type === 'integer' && !Number.isInteger(number) ? undefined : number
}
