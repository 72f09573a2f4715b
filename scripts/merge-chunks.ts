/**
 * Makes one file of the chunks that are loaded together at nearly every start of the program. The bundler splits what is shared into a
 * chunk for each set of files that share it, some fifty for a list of sessions, and Node has
 * to find and link each. What is only loaded later stays a file of its own, and nothing is in two files.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, type BuildOptions, type Metafile } from 'esbuild'

type Outputs = Metafile['outputs']

export type Group = {
  /** Of the file that is made. */
  readonly name: string
  /** Sources that are loaded when they are needed, and are needed together. */
  readonly sources: readonly string[]
  /** Of what they need only that which these need, too: whoever loads the ones does not load all of the others. */
  readonly sharedWith?: readonly string[]
}

/** Where a chunk went, and its place there: the names that it gives are told apart by it. */
type Merged = { readonly file: string; readonly index: number }

/** What a group needs and an earlier one has stays there. */
export async function mergeChunks(
  root: string,
  outdir: string,
  { outputs }: Metafile,
  groups: readonly Group[],
  target: Pick<BuildOptions, 'target'>,
): Promise<void> {
  const scripts = Object.keys(outputs).filter((path) => path.endsWith('.js'))
  const entryOf = (source: string): string => {
    const found = scripts.find((path) => outputs[path]?.entryPoint === source)
    if (found === undefined) throw new Error(`${source} has no chunk of its own any more`)
    return found
  }
  const exportsOf = (path: string): readonly string[] => outputs[path]?.exports ?? []
  // The program without all of them must not load all of them.
  const taken = new Set(closure(outputs, [`${outdir}/main.js`]))
  const names = new Map<string, Merged>()
  const merged: string[] = []
  for (const { name, sources, sharedWith = sources } of groups) {
    const file = `${name}.js`
    const others = closure(outputs, sharedWith.map(entryOf))
    const paths = [...closure(outputs, sources.map(entryOf))].filter(
      (path) => others.has(path) && !taken.has(path),
    )
    for (const [index, path] of paths.entries()) names.set(basename(path), { file, index })
    for (const path of paths) taken.add(path)
    merged.push(...paths)
    await build({
      ...target,
      stdin: { contents: paths.map(passedOn).join('\n'), resolveDir: join(root, outdir, 'chunks') },
      outfile: join(root, outdir, 'chunks', file),
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'warning',
      plugins: [
        {
          name: 'only what is merged here',
          setup: ({ onResolve }) =>
            onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
              kind !== 'dynamic-import' && names.get(basename(path))?.file === file
                ? undefined
                : { path, external: true },
            ),
        },
      ],
    })
  }
  const made = groups.map(({ name }) => `${outdir}/chunks/${name}.js`)
  for (const path of [...scripts.filter((each) => !merged.includes(each)), ...made])
    await rewrite(join(root, path), (text) => fromMerged(text, names))
  for (const path of merged) {
    const { file, index } = names.get(basename(path)) ?? { file: '', index: 0 }
    const own = exportsOf(path).map((name) => `${unique(name, index)} as ${name}`)
    if (outputs[path]?.entryPoint === undefined) await rm(join(root, path))
    else await writeFile(join(root, path), `export { ${own.join(', ')} } from './${file}'\n`)
  }

  function passedOn(path: string, index: number): string {
    const all = exportsOf(path).map((name) => `${name} as ${unique(name, index)}`)
    return `export { ${all.join(', ')} } from './${basename(path)}'`
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
function fromMerged(text: string, names: ReadonlyMap<string, Merged>): string {
  return text.replaceAll(
    STATEMENT,
    (whole, list: string | undefined, folder: string, from: string) => {
      const to = names.get(from)
      if (to === undefined) return whole
      if (list === undefined) return `import "${folder}${to.file}";`
      const wanted = list.split(',').map((each) => {
        const [name = '', as = name] = each.trim().split(' as ')
        return `${unique(name, to.index)} as ${as}`
      })
      return `import { ${wanted.join(', ')} } from "${folder}${to.file}";`
    },
  )
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8')
  const next = change(text)
  if (next !== text) await writeFile(path, next)
}
