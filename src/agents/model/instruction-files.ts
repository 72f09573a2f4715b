/**
 * Instruction files as they stand in the system prompt: those that are switched on, bounded in size, each under its
 * path. One that is about some files alone is named with them, so that the model reads it when it needs it.
 */
import type { InstructionSource } from '../../guidance/instructions.ts'
import { headAndTail } from '../../state/preview.ts'
import { quoted } from '../../state/quoting.ts'

const MAX_CHARS = 32 * 1024
const MAX_CHARS_IN_ALL = 96 * 1024
/** Less than this of a file tells nothing. */
const LEAST_CHARS = 100

export function instructionParts(sources: readonly InstructionSource[]): readonly string[] {
  const whole: [InstructionSource, string][] = []
  let left = MAX_CHARS_IN_ALL
  for (const source of sources.filter(({ applyTo }) => applyTo === undefined)) {
    if (left < LEAST_CHARS) break
    const kept = headAndTail(source.content, Math.min(MAX_CHARS, left))
    left -= kept.length
    whole.push([source, kept])
  }
  const said = (isOfUser: boolean, element: string) =>
    whole
      .filter(([{ location }]) => (location === 'user') === isOfUser)
      .map(([{ sourcePath: path }, text]) => quoted(element, { path }, text))
  const ofProject = said(false, 'project_instructions')
  const rules = sources.filter(({ applyTo }) => applyTo !== undefined)
  return [
    ...said(true, 'user_instructions'),
    ...(ofProject.length === 0 ? [] : ['The project gives these instructions:', ...ofProject]),
    ...(rules.length === 0 ? [] : [RULES, rules.map(ruleLine).join('\n')]),
  ]
}

const RULES =
  'The project has rules for some of its files. Before you change a file that one of these is about, view the rules:'

const ruleLine = ({ sourcePath, applyTo = [] }: InstructionSource): string =>
  quoted('project_rules', { path: sourcePath, files: applyTo.join(', ') }, '').replace(
    />\s*<\/project_rules>$/,
    ' />',
  )
