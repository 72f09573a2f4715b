/** What an empty session shows: where one is, what was found on this machine, and what to type. */
import { counted } from '../../../lib/quantities.ts'
import type { Greeting, Model } from '../model/model.ts'
import { fit, inLine } from './text.ts'
import type { Theme } from './theme.ts'

export function greetingLines({ greeting, version }: Model, width: number, theme: Theme): string[] {
  return [
    `${theme.bold(theme.cyan('Reprise'))} ${theme.dim(inLine(version))}`,
    theme.dim(inLine(greeting.cwd)),
    '',
    ...found(greeting).map((line) => `  ${inLine(line)}`),
    '',
    `  Type a message and press enter. ${theme.yellow('/resume')} opens a session, ${theme.yellow('/help')} says the rest.`,
    `  ${theme.yellow('@')} names a file, ${theme.yellow('!')} runs a command, ${theme.yellow('esc esc')} goes back in time.`,
    '',
  ].map((line) => fit(line, width))
}

/** What was found on this machine, in words. */
export function found({ agents, sessions, here, others }: Greeting): string[] {
  if (sessions === undefined) return ['looking around…']
  const lines = [
    sessions === 0
      ? 'No sessions yet: this will be the first.'
      : `${counted(sessions, 'session')} recorded, ${here ?? 0} of this place.`,
  ]
  if (agents !== undefined)
    lines.push(
      agents.length === 0
        ? 'No agent was found: commands that are spelled out run offline ("run ls").'
        : `Agents found: ${agents.join(', ')}.`,
    )
  if (others !== undefined && others > 0)
    lines.push(
      `${counted(others, 'session')} of the Copilot CLI: reprise --home ~/.copilot opens them.`,
    )
  return lines
}
