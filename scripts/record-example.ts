/** Runs the README's example for real and puts what the terminal showed between its markers. Needs a build. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const commands: readonly (readonly string[])[] = [
  ['-n', 'release', '-p', 'run echo 1.4.0 > VERSION', '--allow-all'],
  ['--resume', 'release', '-p', 'read VERSION'],
  ['sessions', 'rewind', 'release', '--list'],
  ['sessions', 'undo', 'release'],
  ['sessions', 'redo', 'release'],
  ['sessions', 'fork', 'release', '--name', 'release-2'],
  ['sessions', 'list'],
]

export function recordExample(): string {
  const place = mkdtempSync(join(tmpdir(), 'reprise-example-'))
  const ids = new Map<string, string>()
  try {
    const shown = commands.map((args) => {
      const { stdout, stderr } = spawnSync(join(root, 'bin/reprise'), [...args], {
        cwd: place,
        encoding: 'utf8',
        env: {
          ...process.env,
          REPRISE_HOME: join(place, 'home'),
          REPRISE_AGENT: 'offline',
          NO_COLOR: '1',
        },
      })
      return `$ reprise ${args.map(quoted).join(' ')}\n${steady(stderr + stdout, place, ids)}`
    })
    return `${FENCE}console\n${shown.map((each) => each.trimEnd()).join('\n\n')}\n${FENCE}`
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Longer than any fence that the program itself shows. */
const FENCE = '````'

const quoted = (arg: string) => (/^[\w@./-]+$/.test(arg) ? arg : `"${arg}"`)

/** Ids and sizes differ from run to run; the example shows the same ones each time. */
function steady(text: string, place: string, ids: Map<string, string>): string {
  return text
    .replaceAll(place, '~/project')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{8}\b/g, (id) => {
      const short = id.slice(0, 8)
      if (!ids.has(short)) ids.set(short, SAMPLES[ids.size % SAMPLES.length] ?? short)
      const sample = ids.get(short) ?? short
      return id.length === 8 ? sample : `${sample}-5b1e-4c7a-9d26-0f8e3a41c97d`
    })
    .replace(/\d+\.\d kB/g, '4.2 kB')
}

const SAMPLES = ['7c9e6679', '3f2504e0', '9b1deb4d', 'c56a4180', '1b9d6bcd', '6ba7b810']

const OPEN = '<!-- recorded: node scripts/record-example.ts -->'
const CLOSE = '<!-- /recorded -->'

export function withExample(readme: string, example: string): string {
  const from = readme.indexOf(OPEN) + OPEN.length
  return `${readme.slice(0, from)}\n\n${example}\n\n${readme.slice(readme.indexOf(CLOSE))}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(root, 'README.md')
  writeFileSync(path, withExample(readFileSync(path, 'utf8'), recordExample()))
}
