/** Which tools a command means, with their arguments. */
import { join } from 'node:path'
import { layout } from '../../format/layout.ts'
import { defined } from '../../lib/defined.ts'
import type { BuiltinTool } from '../tools/builtin.ts'
import type { Command } from './parse.ts'

export type PlannedCall = { readonly tool: BuiltinTool; readonly arguments: unknown }

export type ToolCommand = Exclude<Command, { readonly verb: 'tell' }>

export function callsOf(command: ToolCommand, workspacePath: string): readonly PlannedCall[] {
  const plan = join(workspacePath, layout.session.plan.path)
  switch (command.verb) {
    case 'run':
      return [{ tool: 'bash', arguments: { command: command.command } }]
    case 'read': {
      const { file: path, range } = command
      return [{ tool: 'view', arguments: { path, ...defined({ view_range: range }) } }]
    }
    case 'write':
      return [{ tool: 'create', arguments: { path: command.file, file_text: command.text } }]
    case 'append':
      return [{ tool: 'append', arguments: { path: command.file, text: command.text } }]
    case 'edit':
      return command.edits.map((edit) => ({
        tool: 'edit',
        arguments: { path: command.file, old_str: edit.old, new_str: edit.new },
      }))
    case 'find': {
      const { pattern } = command
      // A name alone is looked for everywhere; with a folder in it, it says where.
      return [
        { tool: 'glob', arguments: { pattern: pattern.includes('/') ? pattern : `**/${pattern}` } },
      ]
    }
    case 'search':
      return [{ tool: 'grep', arguments: { pattern: literally(command.text), ignore_case: true } }]
    case 'plan':
      return [{ tool: 'view', arguments: { path: plan } }]
    case 'set-plan':
      return [{ tool: 'create', arguments: { path: plan, file_text: command.text } }]
  }
}

const literally = (text: string) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
