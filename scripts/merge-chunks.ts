/**
 * Makes one file of the chunks that nearly every start of the program loads. The bundler splits what is shared into a
 * chunk for each set of files that share it, some fifty for a list of sessions, and Node has
 * to find and link each. What is only loaded later stays a file of its own, and nothing is in two files.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import type { BuildOptions, Metafile } from 'esbuild'

type Outputs = Metafile['outputs']

const MERGED = 'dist/chunks/start.js'

export async function mergeChunks(
  root: string,
  { outputs }: Metafile,
  /** Sources that are loaded when they are needed, and are needed at nearly every start. */
  sources: readonly string[],
  target: Pick<BuildOptions, 'target'>,
): Promise<void> {
  const scripts = Object.keys(outputs).filter((path) => path.endsWith('.js'))
  const entryOf = (source: string): string => {
    const found = scripts.find((path) => outputs[path]?.entryPoint === source)
    if (found === undefined) throw new Error(`${source} has no chunk of its own any more`)
    return found
  }
  // The program without all of them must not load all of them.
  const early = closure(outputs, ['dist/main.js'])
  const merged = [...closure(outputs, sources.map(entryOf))].filter((path) => !early.has(path))
  const names = new Map(merged.map((path, index) => [basename(path), index]))
  const lines = merged.map((path, index) => {
    const exports = outputs[path]?.exports ?? []
    return `export { ${exports.map((name) => `${name} as ${unique(name, index)}`).join(', ')} } from './${basename(path)}'`
  })
  await build({
    ...target,
    stdin: { contents: lines.join('\n'), resolveDir: join(root, 'dist/chunks') },
    outfile: join(root, MERGED),
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
    plugins: [
      {
        name: 'only what is merged',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
            kind !== 'dynamic-import' && names.has(basename(path))
              ? undefined
              : { path, external: true },
          ),
      },
    ],
  })
  for (const path of scripts.filter((each) => !merged.includes(each)))
    await rewrite(join(root, path), (text) => fromMerged(text, names))
  await rewrite(join(root, MERGED), (text) => fromMerged(text, names))
  for (const [index, path] of merged.entries()) {
    const exports = outputs[path]?.exports ?? []
    const own = exports.map((name) => `${unique(name, index)} as ${name}`).join(', ')
    if (outputs[path]?.entryPoint === undefined) await rm(join(root, path))
    else await writeFile(join(root, path), `export { ${own} } from './${basename(MERGED)}'\n`)
  }
}

const unique = (name: string, index: number): string => `${name}_${index}`

/** All that is loaded together with these. */
function closure(outputs: Outputs, paths: readonly string[]): ReadonlySet<string> {
  const found = new Set(paths)
  for (const path of found)
    for (const { path: next, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && outputs[next] !== undefined) found.add(next)
  return found
}

const STATEMENT = /^import (?:\{([^}]*)\} from )?"(\.[^"]*\/)([^"/]+\.js)";$/gm

/** As the bundler writes them: names in braces, or none. */
function fromMerged(text: string, names: ReadonlyMap<string, number>): string {
  return text.replaceAll(
    STATEMENT,
    (whole, list: string | undefined, folder: string, file: string) => {
      const index = names.get(file)
      if (index === undefined) return whole
      if (list === undefined) return `import "${folder}${basename(MERGED)}";`
      const wanted = list.split(',').map((each) => {
        const [name = '', as = name] = each.trim().split(' as ')
        return `${unique(name, index)} as ${as}`
      })
      return `import { ${wanted.join(', ')} } from "${folder}${basename(MERGED)}";`
    },
  )
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8')
  const next = change(text)
  if (next !== text) await writeFile(path, next)
}
