/** Keeps the directions between folders, the place of each library, and the shape of files. ARCHITECTURE.md explains them. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { namesOf } from '../src/commands/fields.ts'
import { table } from '../src/commands/table.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Folder -> what it may import of ours. A path with `.ts` allows that file alone. */
const DIRECTIONS: Record<string, readonly string[]> = {
  lib: [],
  format: ['lib'],
  state: ['format', 'lib'],
  // What a file in the making and the session's own database are called stands in the table of the layout.
  fs: ['format/layout.ts', 'format/paths.ts', 'lib'],
  log: ['format', 'fs', 'lib'],
  workspace: ['format', 'fs', 'lib'],
  project: ['format', 'fs', 'lib'],
  engine: ['format', 'state', 'fs', 'log', 'workspace', 'project', 'guidance', 'lib'],
  guidance: ['lib'],
  // A model may ask the store of past sessions.
  agents: ['guidance', 'format', 'state', 'store', 'engine/agent.ts', 'engine/errors.ts', 'lib'],
  config: ['format', 'fs', 'engine/hook.ts', 'lib'],
  store: ['format', 'state', 'fs', 'log', 'workspace', 'lib'],
  telemetry: ['format', 'lib'],
  // Sessions of other agents: found, copied raw, read by the pure readers of each agent, handed to the engine.
  importers: ['format', 'state', 'fs', 'log', 'engine', 'agents/acp/agent-file.ts', 'lib'],
  // The other end of Mission Control: a follower of logs, and hands of people who are elsewhere.
  remote: [
    'format',
    'state',
    'fs',
    'log',
    'workspace',
    'engine',
    'store/far-store.ts',
    'store/filters.ts',
    'lib',
  ],
  // The server of a team. It is handed what it needs by wiring/.
  control: ['format', 'state', 'store', 'telemetry', 'lib'],
  commands: ['engine', 'guidance', 'store', 'importers', 'config', 'format', 'state', 'lib'],
  // A client of JSON-RPC may bring its own model: its words are translated where they are known.
  surfaces: [
    'commands',
    'engine',
    'guidance',
    'store',
    'config',
    'agents/model/config.ts',
    'format',
    'state',
    'lib',
  ],
}

/** All that stands in the root of src/. */
const ROOT = ['src/index.ts', 'src/main.ts']

/** These put the parts together and may import all of ours and every library. Their shape is checked as any other's. */
const isWiring = (path: string) => ROOT.includes(path) || path.startsWith('src/wiring/')

/** Library -> the folders that may import it. `node:fs` is where bytes are touched. */
const LIBRARIES: Record<string, readonly string[]> = {
  zod: [
    'format',
    'log',
    'engine/operations',
    'agents',
    'commands',
    'config',
    'control',
    'remote',
    'surfaces',
  ],
  yaml: ['workspace', 'guidance'],
  'node:sqlite': ['workspace', 'store', 'control/sqlite', 'importers'],
  kysely: ['control'],
  postgres: ['control/postgres'],
  '@aws-sdk': ['control/blobs'],
  'openid-client': ['control/people'],
  '@ai-sdk': ['agents/model'],
  '@modelcontextprotocol': ['agents/model'],
  '@agentclientprotocol': ['agents/acp', 'surfaces/acp'],
  'web-tree-sitter': ['lib/shell'],
  re2js: ['agents/tools'],
  croner: ['engine/turn'],
  hono: ['surfaces/web', 'control/http'],
  '@hono': ['surfaces/web', 'control/http'],
  preact: ['surfaces/web/page'],
  'markdown-it': ['surfaces/web/page'],
  'highlight.js': ['surfaces/web/page'],
  katex: ['surfaces/web/page'],
  diff: ['surfaces/web/page'],
  '@tanstack': ['surfaces/web/page'],
  'lucide-static': ['surfaces/web/page'],
  uplot: ['surfaces/web/page'],
  uqr: ['commands', 'wiring'],
  '@opentelemetry': ['telemetry'],
  '@earendil-works': ['surfaces/tui'],
}

const BARRELS = ['src/index.ts', 'src/format/index.ts']

type Import = { readonly file: string; readonly target: string; readonly typeOnly: boolean }

const production = globSync('src/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.(?:d|test)\.tsx?$/.test(file))
  .sort()

const imports: Import[] = production.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  return [
    ...text.matchAll(
      /^\s*(?:import|export)\s(type\s)?[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm,
    ),
  ].map((match) => ({
    file,
    target: match[2] ?? match[3] ?? match[4] ?? '',
    typeOnly: match[1] !== undefined,
  }))
})

/** Of files of ours, types too. */
const between = imports
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target }) => ({ file, to: relative(root, join(root, dirname(file), target)) }))

test('the root of src has nothing but the program and the library', () => {
  assert.deepEqual(
    production.filter((file) => dirname(file) === 'src'),
    ROOT,
  )
})

test('every import of ours names a file that is there', () => {
  assert.deepEqual(
    between.filter(({ to }) => !production.includes(to)),
    [],
  )
})

const folderOf = (path: string) => path.split('/')[1] ?? ''

test('every import between folders goes in an allowed direction', () => {
  const wrong = between.filter(({ file, to }) => {
    const from = folderOf(file)
    const allowed = DIRECTIONS[from]
    if (allowed === undefined) return !isWiring(file)
    if (folderOf(to) === from) return from === 'surfaces' && surfaceOf(file) !== surfaceOf(to)
    return !allowed.some((entry) => to === `src/${entry}` || to.startsWith(`src/${entry}/`))
  })
  assert.deepEqual(wrong, [])
})

const surfaceOf = (path: string) => path.split('/')[2]

test('no two files import each other, in however many steps, types included', () => {
  assert.deepEqual(circles(), [])
})

/** The strongly connected parts of more than one file, as Tarjan finds them. */
function circles(): string[][] {
  const next = Map.groupBy(between, ({ file }) => file)
  const order = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (file: string): number => {
    const own = order.size
    order.set(file, own)
    open.push(file)
    let low = own
    for (const { to } of next.get(file) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to))
      else if (open.includes(to)) low = Math.min(low, order.get(to) ?? low)
    }
    if (low === own) {
      const part = open.splice(open.indexOf(file))
      if (part.length > 1) found.push(part.sort())
    }
    return low
  }
  for (const file of production) if (!order.has(file)) visit(file)
  return found
}

test('each library stays in its folder', () => {
  const wrong = imports.filter(({ file, target }) => {
    const allowed = LIBRARIES[target.startsWith('node:') ? target : (target.split('/')[0] ?? '')]
    if (isWiring(file)) return false
    return allowed !== undefined && !allowed.some((folder) => file.startsWith(`src/${folder}/`))
  })
  assert.deepEqual(wrong, [])
})

test('a package that is not installed with this one gives types alone', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  const isInstalled = (target: string) =>
    /^(\.|node:)/.test(target) ||
    Object.keys(dependencies).some((name) => `${target}/`.startsWith(`${name}/`))
  // The page is bundled with what it imports.
  const wrong = imports.filter(
    ({ file, target, typeOnly }) =>
      !typeOnly && !isInstalled(target) && !file.startsWith('src/surfaces/web/page/'),
  )
  assert.deepEqual(wrong, [])
})

test('a package outside the table is not imported', () => {
  const wrong = imports.filter(
    ({ target }) =>
      !target.startsWith('.') &&
      !target.startsWith('node:') &&
      LIBRARIES[target.split('/')[0] ?? ''] === undefined,
  )
  assert.deepEqual(wrong, [])
})

/** Readers and writers of the logs of others: text in, drafts out. */
const isReader = (file: string) => /^src\/importers\/(?!find\/)[^/]+\//.test(file)

test('format, state and the readers of other agents are pure: nothing of Node, nothing that does', () => {
  assert.deepEqual(
    imports.filter(({ file, target }) => {
      const of = isReader(file) ? join(dirname(file), target) : ''
      return of.startsWith('src/') && !/^src\/(?:format|state|lib|importers\/\w+)\//.test(of)
    }),
    [],
  )
  const wrong = imports.filter(
    ({ file, target }) =>
      (['format', 'state'].includes(folderOf(file)) || isReader(file)) &&
      target.startsWith('node:'),
  )
  assert.deepEqual(wrong, [])
})

test('files are touched only by the folders that are there for it', () => {
  const wrong = imports.filter(
    ({ file, target }) =>
      /^node:fs(\/|$)/.test(target) &&
      !['fs', 'lib', 'agents', 'project', 'store', 'importers'].includes(folderOf(file)) &&
      !isWiring(file),
  )
  assert.deepEqual(wrong, [])
})

test('nothing outside fs/ decides by where the bytes live', () => {
  const wrong = production.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return folderOf(file) !== 'fs' && /\bbackend\b\)?\s*(?:[!=]==|\{)/.test(text)
  })
  assert.deepEqual(wrong, [])
})

/** A path that nobody made absolute means what it means to the system. */
const RELATIVE = ['src/lib/real-path.ts']

test('only the wiring knows the directory of the process, and nothing changes it', () => {
  const wrong = production.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return (
      /process\.chdir\(/.test(text) ||
      (/process\.cwd\(/.test(text) && !isWiring(file) && !RELATIVE.includes(file))
    )
  })
  assert.deepEqual(wrong, [])
})

/** What came to Node after the release that `engines` names. What came to the language, tsconfig.types.json refuses. */
const TOO_NEW =
  /\bURL\.parse\(|import\.meta\.(?:dirname|filename)|\bgetBuiltinModule|\benableCompileCache|\bstyleText|\bglobSync|\bparentPath\b|\bloadEnvFile|\{[^}]*\bhash\b[^}]*\} from 'node:crypto'|^import \{[^}]*\} from 'node:sqlite'/m

test('the library uses nothing that came after the Node it promises', () => {
  const reached = new Set<string>([...BARRELS, 'src/importers/claude-session-store.ts'])
  for (const file of reached) {
    for (const { target, typeOnly } of imports.filter((each) => each.file === file)) {
      if (target.startsWith('.') && !typeOnly) reached.add(join(dirname(file), target))
    }
  }
  const wrong = [...reached].filter((file) => TOO_NEW.test(readFileSync(join(root, file), 'utf8')))
  assert.ok(reached.size > 200, 'the library was not found')
  assert.deepEqual(wrong, [])
})

test('nothing is re-exported inside, and nothing is exported by default', () => {
  const wrong = production.filter((file) => {
    if (BARRELS.includes(file)) return false
    const text = readFileSync(join(root, file), 'utf8')
    return (
      /^export \* /m.test(text) ||
      /^export default/m.test(text) ||
      /^export \{[^}]*\} from/m.test(text)
    )
  })
  assert.deepEqual(wrong, [])
})

test('a failure that nobody is told of has its reason beside it', () => {
  const isComment = (line = '') => /^\s*(?:\/\/|\/?\*)/.test(line)
  const wrong = production.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.flatMap((line, at) => {
      if (!/catch \{|\.catch\(\(\) => (?:\{\}|undefined)\)/.test(line)) return []
      const hasReason =
        line.includes('//') ||
        isComment(lines[at - 1]) ||
        (line.endsWith('catch {') && isComment(lines[at + 1]))
      return hasReason ? [] : [`${file}:${at + 1} ${line.trim()}`]
    })
  })
  assert.deepEqual(wrong, [])
})

test('a file over 400 lines says why in its first comment', () => {
  const wrong = production.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return text.split('\n').length > 400 && !/long because/i.test(text.slice(0, 1000))
  })
  assert.deepEqual(wrong, [])
})

/** A command is a row of the table: a surface calls those by their names, and makes none of its own. */
test('no surface defines a command that is not in the table', () => {
  const surfaces = production.filter((file) => file.startsWith('src/surfaces/'))
  // The command line has its own words; `-p` of it is the table.
  const own = surfaces.filter((file) => !file.startsWith('src/surfaces/cli/'))
  const names = new Set(table.flatMap(namesOf).flatMap((name) => [name, name.split(' ')[0] ?? '']))
  const wrong = own.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const makes = /commands\/command\.ts'/.test(text) && /\bcommand\(\{/.test(text)
    const said = Array.from(text.matchAll(/['"`(]\/([a-z][a-z-]*)(?=['"`) ])/g), ([, name]) => name)
    const unknown = file.startsWith('src/surfaces/tui/')
      ? said.filter((name) => name !== undefined && !names.has(name))
      : []
    return [
      ...(makes ? [`${file} makes a command`] : []),
      ...unknown.map((name) => `${file}: /${name}`),
    ]
  })
  assert.deepEqual(wrong, [])
  const listed = own.filter((file) =>
    /commands\/table\.ts'/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(listed.map(surfaceOf).toSorted(), ['acp', 'rpc', 'tui', 'web'])
})

test('ARCHITECTURE.md names every folder and its directions', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').replace(/ {2,}/g, ' ')
  for (const [folder, allowed] of Object.entries(DIRECTIONS)) {
    const row = `| ${folder} | ${allowed.length === 0 ? 'nothing of ours' : allowed.join(', ')} |`
    assert.ok(text.includes(row), `ARCHITECTURE.md lacks the row: ${row}`)
  }
})
