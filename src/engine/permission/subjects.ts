/**
 * What a request comes to: the files that it leads to, the commands that it runs, addresses, tools. Rules are compared
 * with these, never with how something is spelled, and people are shown them.
 */
import type { Payload } from '../../format/event.ts'
import { realPath } from '../../lib/real-path.ts'
import { addressOf, named, placesOf, type Subjects } from './rule-words.ts'
import { serverTool } from './server-tool.ts'
import { shellSubjects } from './shell-subjects.ts'

type Wanted = Payload<'permission.requested'>['permissionRequest']

export async function subjectsOf(request: Wanted, directory: string): Promise<Subjects> {
  const cwd = await realPath(directory)
  switch (request.kind) {
    case 'shell':
      return shellSubjects(request.fullCommandText, {
        cwd: await realPath(request.resolvedWorkingDirectory ?? directory),
        project: cwd,
      })
    case 'read':
    case 'write': {
      const spelled = request.kind === 'read' ? request.path : request.fileName
      const { kind, resolvedPath } = request
      const places =
        resolvedPath === undefined ? await placesOf(spelled, cwd) : [await realPath(resolvedPath)]
      return { cwd, isCommand: false, all: [{ kind, places, spelled, isMention: false }] }
    }
    case 'mcp':
      return {
        cwd,
        isCommand: false,
        all: [named('mcp', `${request.serverName}/${serverTool(request)}`)],
      }
    case 'url':
      return { cwd, isCommand: false, all: [named('url', addressOf(request.url))] }
    case 'custom-tool':
    case 'hook':
      return { cwd, isCommand: false, all: [named(request.kind, request.toolName)] }
    default:
      return {
        cwd,
        isCommand: false,
        all: [{ kind: 'named', as: request.kind, texts: [], isMention: false }],
      }
  }
}
