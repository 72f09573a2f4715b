/**
 * Builds dist/: one split bundle for the program and the library, then the type declarations. Made beside the one that
 * is there and put in its place when it is whole: until then, and when it fails, the program goes on working.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { program } from '../src/surfaces/cli/command-table.ts'
import { described } from '../src/surfaces/cli/described.ts'
import { buildPage } from './build-page.ts'
import { mergeChunks } from './merge-chunks.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  version: string
}

/** The library shares its chunks with the program, and runs on a Node that does not know `using`. */
const TARGET = 'node20.4'

const [NEXT, FORMER] = ['dist.next', 'dist.former']
const remove = (name: string) => rmSync(join(root, name), { recursive: true, force: true })

remove(NEXT)
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    format: 'src/format/index.ts',
    'claude-session-store': 'src/importers/claude-session-store.ts',
    'sql-worker': 'src/store/query/worker.ts',
    'store-reader': 'src/wiring/store-reader.ts',
    'extension-bootstrap': 'src/wiring/extension-bootstrap.ts',
  },
  outdir: NEXT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: TARGET,
  metafile: true,
  minifySyntax: true,
  sourcemap: false,
  chunkNames: 'chunks/[name]-[hash]',
  define: {
    REPRISE_VERSION: JSON.stringify(version),
    // A text: the bundler would put an object into every file.
    REPRISE_SUMMARIES: JSON.stringify(JSON.stringify(await summaries())),
  },
  logLevel: 'warning',
  plugins: [
    {
      // Half of what zod weighs is its messages in other languages, which nobody is shown.
      name: 'zod in one language',
      setup: ({ onLoad }) =>
        onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {}' })),
    },
    {
      // To make it takes as long as a frame, and hardly any sign of a screen needs it: one that stands alone is such an
      // emoji when it is shown as one by default.
      name: 'the expression of all emoji is made when it is needed',
      setup: ({ onLoad }) =>
        onLoad({ filter: /pi-tui\/dist\/utils\.js$/ }, async ({ path }) => ({
          contents: lateEmoji(await readFile(path, 'utf8')),
        })),
    },
  ],
})

for (const path of Object.keys(metafile.outputs)) await giveRequire(join(root, path))

const PROMPT = ['src/surfaces/cli/commands/prompt.ts']
const TERMINAL = ['src/wiring/open-terminal.ts', 'src/surfaces/tui/run.ts']
const SERVERS = ['src/wiring/serve-rpc.ts', 'src/wiring/serve-acp.ts', 'src/wiring/serve-web.ts']
const OPERATIONS = [
  'src/engine/home-operations.ts',
  'src/engine/handle.ts',
  'src/engine/turn/send.ts',
  'src/engine/transport/serve-request.ts',
]
const TURN = [
  'src/config/load.ts',
  'src/surfaces/cli/launch-config.ts',
  'src/wiring/user-parts.ts',
  'src/wiring/make-agent.ts',
]

await mergeChunks(
  root,
  NEXT,
  metafile,
  [
    {
      name: 'start',
      sources: ['src/surfaces/cli/run.ts', 'src/surfaces/cli/help.ts', 'src/wiring/cli-host.ts'],
    },
    {
      name: 'engine',
      sources: ['src/surfaces/cli/commands/list.ts', 'src/wiring/open-engine.ts'],
    },
    { name: 'store', sources: ['src/wiring/open-store.ts'] },
    // The first frame of the terminal needs little of what sessions are worked on with.
    { name: 'shared', sources: [...PROMPT, ...TERMINAL], sharedWith: [...OPERATIONS, ...TURN] },
    { name: 'operations', sources: OPERATIONS },
    { name: 'turn', sources: TURN },
    { name: 'prompt', sources: PROMPT },
    // A server draws nothing.
    { name: 'wires', sources: TERMINAL, sharedWith: SERVERS },
    { name: 'terminal', sources: TERMINAL },
  ],
  { target: TARGET },
)

// Extensions find the Copilot SDK here. Its way into a native library is not theirs.
const sdk = await build({
  absWorkingDir: root,
  metafile: true,
  entryPoints: ['index', 'extension'].map(
    (name) => `node_modules/@github/copilot-sdk/dist/${name}.js`,
  ),
  outdir: join(NEXT, 'copilot-sdk'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: TARGET,
  logLevel: 'warning',
  plugins: [
    {
      name: 'no native library',
      setup: ({ onResolve, onLoad }) => {
        onResolve({ filter: /^koffi$/ }, () => ({ path: 'koffi', namespace: 'none' }))
        onLoad({ filter: /.*/, namespace: 'none' }, () => ({
          contents: 'export default undefined',
        }))
      },
    },
  ],
})

for (const path of Object.keys(sdk.metafile.outputs)) await giveRequire(join(root, path))

// The shell parser and its grammar are not JavaScript; the packages that bring them hold much else.
mkdirSync(join(root, NEXT, 'shell'))
for (const file of [
  'web-tree-sitter/web-tree-sitter.wasm',
  'tree-sitter-bash/tree-sitter-bash.wasm',
])
  copyFileSync(join(root, 'node_modules', file), join(root, NEXT, 'shell', basename(file)))

await buildPage(root, join(root, NEXT, 'page'))

const types = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    join(root, 'tsconfig.types.json'),
    '--outDir',
    join(root, NEXT, 'types'),
  ],
  { cwd: root, stdio: 'inherit' },
)
if (types.status === 0) takePlace()
process.exitCode = types.status ?? 1

function lateEmoji(source: string): string {
  const made = /^const rgiEmojiRegex = (\/.+\/v);$/m
  const [, expression] = made.exec(source) ?? []
  if (expression === undefined) throw new Error('pi-tui has its expression of emoji elsewhere now')
  const late = `let allEmoji;
const shownAsEmoji = /^\\p{Emoji_Presentation}$/u;
const isAlone = (text) => text.length < 3 && [...text].length === 1;
const rgiEmojiRegex = {
    test: (text) => isAlone(text) ? shownAsEmoji.test(text) : (allEmoji ??= ${expression}).test(text),
};`
  return source.replace(made, () => late)
}

function takePlace(): void {
  const place = join(root, 'dist')
  remove(FORMER)
  if (existsSync(place)) renameSync(place, join(root, FORMER))
  renameSync(join(root, NEXT), place)
  remove(FORMER)
}

/** For packages that are no modules. Only where one asks for it: to make it costs every file that is loaded. */
async function giveRequire(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  if (!/\brequire\b/.test(text)) return
  const made = 'const require = __createRequire(import.meta.url);'
  await writeFile(
    path,
    `import { createRequire as __createRequire } from 'node:module'; ${made}\n${text}`,
  )
}

/** Of the commands whose words come from a schema. */
async function summaries(): Promise<Record<string, string>> {
  const derived = program.commands.filter((row) => 'of' in row)
  const all = await Promise.all(derived.map(described))
  return Object.fromEntries(all.map(({ name, summary }) => [name, summary]))
}
