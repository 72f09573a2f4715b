/** What the sandbox adds to a command: the walls as the disk is now, and the start of bubblewrap; in a project of 10,000 files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCommand } from '../../src/agents/tools/command.ts'
import { wallBuilder } from '../../src/engine/permission/walls.ts'
import { systemSandbox } from '../../src/lib/sandbox/system-sandbox.ts'
import type { Case } from '../case.ts'
import type { Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'

const FOLDERS = 500
const FILES_IN_EACH = 20
const COMMANDS = 15

type Place = { readonly root: string; readonly isEnclosed: boolean }

/** A command that does nothing, after the first of its process. */
export async function command({ root, isEnclosed }: Place): Promise<Sample> {
  const sandbox = await systemSandbox()
  if ('missing' in sandbox) throw new Error(sandbox.missing)
  const rules = { deny: ['read(**/.env)', 'write(**/secret/**)'] }
  const builder = wallBuilder({
    cwd: root,
    workspacePath: tmpdir(),
    home: root,
    hookFiles: [],
    rules,
  })
  const signal = new AbortController().signal
  const walls = async () =>
    isEnclosed ? (await builder.build('true', process.env)).walls : undefined
  const once = async () => {
    const built = await timedAsync(walls)
    const enclosed = built.result && (await sandbox.enclose(built.result, root))
    const how = { cwd: root, timeoutMs: 60_000, signal, ...(enclosed && { enclosed }) }
    await startCommand('true', how).ended
    return built.ms
  }
  await once()
  const looks: number[] = []
  const { ms } = await timedAsync(async () => {
    for (let count = 0; count < COMMANDS; count++) looks.push(await once())
  })
  return { ms: ms / COMMANDS, look: looks.reduce((sum, each) => sum + each, 0) / COMMANDS }
}

export const sandboxCase: Case = {
  name: 'sandbox',
  async figures({ scratch, measure }) {
    if ('missing' in (await systemSandbox())) return []
    const root = join(scratch, 'sandbox-project')
    for (let index = 0; index < FOLDERS; index++) {
      const folder = join(root, `area-${index % 50}`, `part-${Math.floor(index / 50)}`)
      mkdirSync(folder, { recursive: true })
      for (let file = 0; file < FILES_IN_EACH; file++)
        writeFileSync(join(folder, `file-${file}.ts`), '')
    }
    const at = (isEnclosed: boolean) => ({
      module: 'cases/sandbox',
      probe: 'command',
      args: { root, isEnclosed },
    })
    const { inside, plain } = await measure(7, { inside: at(true), plain: at(false) })
    const limit = { name: 'the command without it', measured: plain('ms') }
    return [
      {
        name: 'a command in the sandbox',
        unit: 'ms',
        target: { times: 8 },
        measured: inside('ms'),
        limit,
      },
      {
        name: 'of it the look at the project',
        unit: 'ms',
        target: 'none',
        measured: inside('look'),
      },
    ]
  },
}
