/** A session at work in a project, by an agent that changes files as a shell does. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callTool, endTool, say, startTool, type Home, type Script } from './engine.ts'

/** "write <file> <text>" and "delete <file>", done behind the back of every edit tool, as a shell does it. */
export const shell = (project: string): Script =>
  async function* (turn) {
    const [verb, name = '', text = ''] = turn.message.content.split(' ')
    const toolCallId = crypto.randomUUID()
    yield callTool(toolCallId)
    yield startTool(toolCallId, 'bash', { command: turn.message.content })
    if (verb === 'write') await writeFile(join(project, name), text)
    else if (verb === 'mkdir') await mkdir(join(project, name))
    else await rm(join(project, name))
    yield endTool(toolCallId)
    yield say('done')
  }

export async function working(home: Home) {
  const project = join(home.path, 'project')
  await mkdir(project)
  await writeFile(join(project, 'kept.txt'), 'kept')
  const engine = home.engine({ script: shell(project), trackFiles: true })
  const { id } = await engine.create({ cwd: project })
  return { engine, project, id }
}
