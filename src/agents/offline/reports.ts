/** What came of a command, in words. The whole output is in the tool's own result; here it is cut to a readable size. */
import { refusalText } from '../../state/failure-text.ts'
import { headAndTail, preview } from '../../state/preview.ts'
import type { ToolOutcome } from '../run-tool.ts'
import type { ToolCommand } from './calls.ts'

const MAX_SHOWN_CHARS = 8000

export type Report = { readonly text: string; readonly isDone: boolean }

export function report(command: ToolCommand, outcome: ToolOutcome): Report {
  if (!outcome.success && outcome.deniedBy === 'person') {
    const said = refusalText(outcome.failure.message, outcome.failure.code) ?? 'You said no.'
    return { text: `${code(command.source)} was not done. ${said}`, isDone: false }
  }
  if (!outcome.success) {
    const hint = outcome.deniedBy === 'nobody' ? ` ${UNATTENDED}` : ''
    return {
      text: `${code(command.source)} failed. ${outcome.failure.message}${hint}`,
      isDone: false,
    }
  }
  const { content, exitCode = 0 } = outcome.result
  return { text: heading(command, exitCode, content), isDone: exitCode === 0 }
}

const UNATTENDED =
  'Where nobody can be asked, --allow-all allows everything but to change files of Reprise itself: for those a person has to say yes.'

export function notRun(commands: readonly { readonly source: string }[]): string {
  return `Stopped there. Not done: ${commands.map(({ source }) => code(source)).join(', ')}.`
}

function heading(command: ToolCommand, exitCode: number, content: string): string {
  switch (command.verb) {
    case 'run': {
      const ran =
        exitCode === 0
          ? `${code(command.source)} succeeded`
          : `${code(command.source)} ended with exit code ${exitCode}`
      return content === '' ? `${ran} and wrote nothing.` : `${ran}:\n\n${block(content)}`
    }
    case 'read':
      return `${code(command.file)}:\n\n${block(content)}`
    case 'find':
    case 'search':
      return `${code(command.source)}:\n\n${block(content)}`
    case 'plan':
      return `The plan:\n\n${content.replace(/^\d+\. /gm, '')}`
    case 'set-plan':
      return 'The plan is set.'
    case 'write':
    case 'append':
    case 'edit':
      return content
  }
}

/** A fence longer than any run of backticks in the text, so that the text cannot close it. */
function block(text: string): string {
  const shown = headAndTail(text, MAX_SHOWN_CHARS)
  const longest = Math.max(2, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${shown}\n${fence}`
}

function code(text: string): string {
  const line = preview(text, 200)
  return line.includes('`') ? `"${line}"` : `\`${line}\``
}
