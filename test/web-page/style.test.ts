/** What of the page can be measured without looking at it: contrast, and how much is sent. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildPage, firstViewBytes } from '../../scripts/build-page.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const MOST_BYTES = 150_000

const pairs = [
  ...['ground', 'raised', 'sunken', 'accent-soft', 'warn-soft'].flatMap((ground) => [
    ['text', ground],
    ['faint', ground],
  ]),
  ...['keyword', 'string', 'number', 'good', 'bad'].map((text) => [text, 'sunken']),
  ['accent', 'ground'],
  ['accent', 'raised'],
  ['accent', 'accent-soft'],
  ['on-accent', 'accent'],
  ['good', 'good-soft'],
  ['bad', 'bad-soft'],
  ['bad', 'raised'],
  ['warn', 'warn-soft'],
  ['text', 'mark'],
] as const

test('every pair of text and ground has a contrast of at least 4.5, light and dark', async () => {
  const style = await readFile(join(root, 'src/surfaces/web/page/style/tokens.css'), 'utf8')
  for (const scheme of ['light', 'dark'] as const) {
    const colours = coloursOf(style, scheme)
    const weak = pairs
      .map(([text = '', ground = '']) => ({
        text,
        ground,
        contrast: contrast(colours[text] ?? '', colours[ground] ?? ''),
      }))
      .filter((pair) => !(pair.contrast >= 4.5))
    assert.deepEqual(weak, [])
  }
})

test('what the first view loads is small, and asks for nothing elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-page-'))
  await buildPage(root, folder)
  const script = await readFile(join(folder, 'page.js'))
  const text = [
    script,
    await readFile(join(folder, 'page.css')),
    await readFile(join(folder, 'index.html')),
  ].join('\n')
  const bytes = await firstViewBytes(folder)
  await rm(folder, { recursive: true })
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`)
  const namespaces = /^http:\/\/www\.w3\.org\//
  const addresses = [...text.matchAll(/https?:\/\/[\w.]+[^\s"'`)]*/g)].map(([address]) => address)
  assert.deepEqual(
    addresses.filter((address) => !namespaces.test(address)),
    [],
  )
})

const coloursOf = (style: string, scheme: 'light' | 'dark'): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...style.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g)].map(
      ([, name = '', light = '', dark = '']) => [name, scheme === 'light' ? light : dark],
    ),
  )

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
