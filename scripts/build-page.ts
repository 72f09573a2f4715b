/** Builds the page: the script with what it loads later, the workers of its stream and of notifications, one style sheet, and plain files. */
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type BuildOptions } from 'esbuild'

export async function buildPage(root: string, outdir: string): Promise<void> {
  const source = join(root, 'src', 'surfaces', 'web', 'page')
  await mkdir(outdir, { recursive: true })
  const script: BuildOptions = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  }
  // A page of another version must not share the worker, so its name is made of its content.
  const { outputFiles } = await build({
    ...script,
    entryPoints: { live: join(source, 'live/worker.ts') },
    write: false,
  })
  const worker = outputFiles?.[0]?.contents ?? new Uint8Array()
  const hash = createHash('sha256').update(worker).digest('hex').slice(0, 12)
  await writeFile(join(outdir, `live-${hash}.js`), worker)
  // Its address stays: a browser looks there by itself for another one.
  await build({ ...script, entryPoints: { notifier: join(source, 'live/notifier.ts') } })
  await build({
    ...script,
    entryPoints: { page: join(source, 'main.tsx') },
    splitting: true,
    chunkNames: 'part-[hash]',
    define: { LIVE_WORKER: JSON.stringify(`/live-${hash}.js`) },
  })
  await build({
    entryPoints: { page: join(source, 'style.css') },
    outdir,
    bundle: true,
    minify: true,
    logLevel: 'warning',
  })
  // Browsers that show the page take the first kind of font.
  await build({
    entryPoints: { formula: createRequire(import.meta.url).resolve('katex/dist/katex.css') },
    outdir,
    bundle: true,
    minify: true,
    assetNames: 'font-[hash]',
    loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' },
    logLevel: 'warning',
  })
  await cp(join(source, 'icon.svg'), join(outdir, 'icon.svg'))
  const page = await readFile(join(source, 'index.html'), 'utf8')
  await writeFile(join(outdir, 'index.html'), page.replace('{build}', await buildOf(root, outdir)))
}

/** A page that is open finds by it that another is served now: made of the version and of all that is served. */
async function buildOf(root: string, outdir: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(root, 'package.json')))
  for (const name of (await readdir(outdir)).toSorted())
    if (name !== 'index.html') hash.update(name).update(await readFile(join(outdir, name)))
  return hash.digest('hex').slice(0, 16)
}

/** What a browser fetches before it shows anything, packed: the page, its script with what that cannot do without, and the worker. */
export async function firstViewBytes(folder: string): Promise<number> {
  const worker = (await readdir(folder)).filter((name) => name.startsWith('live-'))
  const files = new Set(['index.html', 'page.css', 'icon.svg', 'page.js', ...worker])
  let bytes = 0
  // A set gives what is added to it while it is gone through.
  for (const name of files) {
    const content = await readFile(join(folder, name))
    bytes += gzipSync(content).length
    for (const [, part = ''] of content
      .toString()
      .matchAll(/(?:from|^import|;import)\s*"\.\/([\w.-]+)"/g))
      files.add(part)
  }
  return bytes
}
