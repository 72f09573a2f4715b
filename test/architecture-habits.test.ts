/** Keeps the habits of CONTRIBUTING.md that can be read off the sources. Lengths of functions are kept by the linter. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const sources = new Map(
  globSync('{src,test,bench,scripts}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.endsWith('.d.ts'))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)
const production = [...sources].filter(
  ([file]) => file.startsWith('src/') && !/\.test\.tsx?$/.test(file),
)

/** What leaves the package: others import it. */
const published = Object.values(
  (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly exports: Readonly<Record<string, string | { readonly types: string }>>
    }
  ).exports,
).flatMap((entry) =>
  typeof entry === 'string'
    ? []
    : [entry.types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, 'src/$1.ts')],
)

test('what a file exports is imported by another', () => {
  const imported = importedNames()
  const wrong = production.flatMap(([file, text]) => {
    const names = imported.get(file)
    if (published.includes(file) || names?.has('*')) return []
    return Array.from(
      text.matchAll(
        /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|type|interface|enum) (\w+)/gm,
      ),
      ([, name = '']) => name,
    )
      .filter((name) => !names?.has(name))
      .map((name) => `${file}: ${name}`)
  })
  assert.deepEqual([...new Set(wrong)], [])
})

/** File -> the names that others take from it; `*` where it is taken as a whole. */
function importedNames(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [file, text] of sources) {
    const take = (target: string, names: readonly string[]) => {
      const path = join(dirname(file), target)
      found.set(path, new Set([...(found.get(path) ?? []), ...names]))
    }
    for (const [, list, target = ''] of text.matchAll(
      /^\s*(?:import|export)\s(?:type\s)?(?:\{([^}]*)\}|\*[^'"]*?)\s*from\s+['"](\.[^'"]+)['"]/gm,
    ))
      take(target, list === undefined ? ['*'] : namesIn(list, / as /))
    for (const [, list, target = '', member] of text.matchAll(
      /(?:const \{([^}]*)\} = )?(?:await )?import\(\s*['"](\.[^'"]+)['"],?\s*\)\)?(?:\.(?!then)(\w+))?/g,
    ))
      take(target, list === undefined ? [member ?? '*'] : namesIn(list, /:/))
  }
  return found
}

const namesIn = (list: string, renamed: RegExp) =>
  list
    .split(',')
    .map((each) => (each.split(renamed)[0] ?? '').replace(/^\s*type\s/, '').trim())
    .filter((name) => name !== '')

test('a field that may be absent is written with defined()', () => {
  assert.deepEqual(places(/\.\.\.\((\w[\w.?]*)(?: !== undefined)? && \{ (?:\w+: )?\1 \}\)/g), [])
})

/** Here a name tells which command, method or format a file is about, and its folder the rest. */
const MIRRORED = /^src\/(?:importers|commands|surfaces\/rpc\/methods)\//

test('a file is found by its name: at most four share one', () => {
  const shared = new Map<string, string[]>()
  for (const [file] of production)
    if (!MIRRORED.test(file))
      shared.set(basename(file), [...(shared.get(basename(file)) ?? []), file])
  assert.deepEqual(
    [...shared.values()].filter(({ length }) => length > 4),
    [],
  )
})

test('a comment names who acts', () => {
  assert.deepEqual(places(/^.*(?:\/\/|\*).*\b(?:whoever|somebody)\b.*$/gim), [])
})

const places = (pattern: RegExp): readonly string[] =>
  production.flatMap(([file, text]) =>
    Array.from(
      text.matchAll(pattern),
      (match) => `${file}:${text.slice(0, match.index).split('\n').length} ${match[0].trim()}`,
    ),
  )

test('every source that ARCHITECTURE.md names is there', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const named = text.match(/[a-z-]+(?:\/[a-z-]+)+\.(?:test\.)?ts\b/g) ?? []
  const files = [...sources.keys()]
  const isThere = (name: string) => files.some((file) => `/${file}`.endsWith(`/${name}`))
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter((name) => !isThere(name)),
    [],
  )
})
