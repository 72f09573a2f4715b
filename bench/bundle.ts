/** Bundles the probes as the product itself is bundled: stripping types at run time would cost memory that no user pays. */
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
  cpSync(join(here, '..', 'dist', 'shell'), join(folder, 'shell'), { recursive: true })
}

/** How Node is started by `bin/reprise`, so that the probes have the memory limits of the product. */
export function launcherFlags(): string[] {
  const launcher = readFileSync(join(here, '..', 'bin', 'reprise'), 'utf8')
  const [, flags = ''] = /^ *exec node((?: --\S+)*)/m.exec(launcher) ?? []
  return flags.split(' ').filter((flag) => flag !== '')
}
