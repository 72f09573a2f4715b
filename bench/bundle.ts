/** Bundles the probes as the product itself is bundled: stripping types at run time would cost memory that no user pays. */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))

export async function bundleProbes(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await build({
    absWorkingDir: here,
    entryPoints: ['child.ts', 'limits.ts', ...globSync('cases/*.ts', { cwd: here })],
    outdir: folder,
    outbase: here,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    define: { REPRISE_VERSION: '"0.0.0"' },
    external: ['esbuild', 'playwright-core'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
  mkdirSync(join(folder, 'shell'))
  for (const file of SHELL_PARSER)
    copyFileSync(join(here, '..', 'node_modules', file), join(folder, 'shell', basename(file)))
}

/** As the build lays them beside the program. */
const SHELL_PARSER = [
  'web-tree-sitter/web-tree-sitter.wasm',
  'tree-sitter-bash/tree-sitter-bash.wasm',
]

/** How Node is started by `bin/reprise`, so that the probes have the memory limits of the product. */
export function launcherFlags(): string[] {
  const launcher = readFileSync(join(here, '..', 'bin', 'reprise'), 'utf8')
  const [, flags = ''] = /^ *exec node((?: --\S+)*)/m.exec(launcher) ?? []
  return flags.split(' ').filter((flag) => flag !== '')
}
