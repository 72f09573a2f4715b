/**
 * The Copilot CLI acknowledges every command, also one that failed. So an acknowledgement alone is not believed: a
 * command was applied when the event that shows it is there, and refused otherwise.
 */
import { fieldsOf, textIn, type Fields } from '../../lib/fields.ts'
import type { Command } from '../commands/commands.ts'
import { sourceOf } from '../commands/source.ts'

/** The id of the event that shows it, among the last ones of the session. */
export function effectOf(command: Command, events: readonly Fields[]): string | undefined {
  const found = events.find((event) =>
    shows(command, textIn(event, 'type') ?? '', fieldsOf(event['data'])),
  )
  return found && textIn(found, 'id')
}

function shows({ id, kind, content }: Command, type: string, data: Fields): boolean {
  const wish = contentOf(content)
  switch (kind) {
    case 'user_message':
    case 'steer':
    case 'queue':
      return type === 'user.message' && data['source'] === sourceOf(id)
    case 'mode_switch':
      return type === 'session.mode_changed' && data['newMode'] === wish['mode']
    case 'permission_response':
      return type === 'permission.completed' && data['requestId'] === wish['promptId']
    case 'abort':
      return type === 'abort' && data['reason'] === 'remote_command'
    default:
      return (
        wish['promptId'] !== undefined &&
        data['requestId'] === wish['promptId'] &&
        type.endsWith('.completed')
      )
  }
}

function contentOf(content: string): Fields {
  try {
    return fieldsOf(JSON.parse(content))
  } catch {
    // A prompt is plain text.
    return {}
  }
}
