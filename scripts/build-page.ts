/** Builds dist/page: one script, one style sheet, and the files that go as they are. */
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

export async function buildPage(root: string, outdir = join(root, 'dist', 'page')): Promise<void> {
  const source = join(root, 'src', 'surfaces', 'web', 'page')
  await mkdir(outdir, { recursive: true })
  await build({
    absWorkingDir: root,
    entryPoints: { page: join(source, 'main.tsx') },
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
  })
  await build({
    entryPoints: { page: join(source, 'style.css') },
    outdir,
    minify: true,
    logLevel: 'warning',
  })
  for (const name of ['index.html', 'icon.svg']) await cp(join(source, name), join(outdir, name))
}
