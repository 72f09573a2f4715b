/** Writes everything that is derived from the code: schemas and the generated blocks of the documents. `--check` only compares. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cliReference } from './generate-cli-doc.ts'
import { eventReference, layoutReference } from './generate-format-doc.ts'
import { protocolReference, rpcSchema } from './generate-protocol-doc.ts'
import { liveReference } from './generate-live-doc.ts'
import { operationReference } from './generate-operations-doc.ts'
import { generateClient } from './generate-client.ts'
import { generateControlOpenApi, generateOpenApi } from './generate-openapi.ts'
import { generateSchema } from './generate-schema.ts'
import { commandReference, terminalReference } from './generate-commands-doc.ts'
import { tuiScreens } from './tui-screens.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const check = process.argv.includes('--check')

const wanted = new Map<string, string>()
for (const [path, content] of generateSchema()) wanted.set(`schema/${path}`, content)
const withFiles = withBlock('docs/format.md', 'files', layoutReference())
wanted.set('docs/format.md', withBlock('docs/format.md', 'events', eventReference(), withFiles))
wanted.set('docs/live-session.md', withBlock('docs/live-session.md', 'live', liveReference()))
wanted.set(
  'docs/operations.md',
  withBlock('docs/operations.md', 'operations', operationReference()),
)
wanted.set('docs/cli.md', withBlock('docs/cli.md', 'cli', await cliReference()))
wanted.set('docs/protocol.md', withBlock('docs/protocol.md', 'rpc', protocolReference()))
wanted.set('schema/rpc.schema.json', rpcSchema())
wanted.set('schema/openapi.json', generateOpenApi())
wanted.set('schema/openapi.d.ts', await generateClient(generateOpenApi()))
wanted.set('schema/control-openapi.json', generateControlOpenApi())
wanted.set('docs/commands.md', withBlock('docs/commands.md', 'commands', commandReference()))
const withCommands = withBlock('docs/tui.md', 'tui-commands', terminalReference())
wanted.set('docs/tui.md', withBlock('docs/tui.md', 'tui-screens', tuiScreens(), withCommands))

const stale: string[] = []
for (const [path, content] of wanted) {
  if (current(path) === content) continue
  stale.push(path)
  if (check) continue
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}
if (check && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run "npm run generate".`)
  process.exitCode = 1
}

function withBlock(
  path: string,
  name: string,
  block: string,
  text = readFileSync(join(root, path), 'utf8'),
): string {
  const open = `<!-- generated:${name} -->`
  const close = '<!-- /generated -->'
  const from = text.indexOf(open)
  const to = text.indexOf(close, from)
  if (from < 0 || to < 0) throw new Error(`${path} has no block ${open} … ${close}`)
  return `${text.slice(0, from + open.length)}\n\n${block.trim()}\n\n${text.slice(to)}`
}

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}
