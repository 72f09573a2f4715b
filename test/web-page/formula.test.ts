/** Formulas are set as people read them, when there are some; what a hostile one asks for is shown as it was written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { converse } from '../support/engine.ts'
import { noBrowser, openBrowser, type TestBrowser } from './browser.ts'
import { violations } from './violations.ts'

const options = { skip: noBrowser, timeout: 280_000 }

const GOOD = [
  String.raw`$E = mc^2$`,
  String.raw`\(\sqrt{2} \in \mathbb{R}\)`,
  String.raw`$\text{<img src=x>} \alpha$`,
]
const BAD = [
  String.raw`$\href{https://evil.invalid}{x}$`,
  String.raw`$\includegraphics{https://evil.invalid/x}$`,
  String.raw`$\htmlId{page}{x}$`,
  String.raw`$\htmlStyle{position:fixed}{x}$`,
  String.raw`$\def\a{\a\a}\a$`,
  String.raw`$\kern-900em x$`,
  String.raw`$\frac{1}{$`,
  `$${'{'.repeat(190)}x${'}'.repeat(190)}$`,
]
const BLOCK = String.raw`$$
\begin{pmatrix} a & b \\ c & d \end{pmatrix}^{-1} = \frac{1}{ad-bc}
$$`

test('formulas are set, without trust in what they say', options, async () => {
  await using place = await openBrowser()
  const [plain, id] = [await make(place), await make(place)]
  await converse(place.engine, plain, { prompt: 'no formula here' })
  await converse(place.engine, id, { prompt: `\n\n${[...GOOD, ...BAD].join('\n\n')}` })
  await converse(place.engine, id, { prompt: `\n\n${BLOCK}` })
  const page = await place.open(`#/s/${plain}`)
  const fetched: string[] = []
  page.on('request', (request) => void fetched.push(new URL(request.url()).pathname))
  await page.locator('.e-assistant').waitFor()
  assert.equal(await page.locator('link[href="/formula.css"]').count(), 0)

  await page.evaluate((to) => void (location.hash = to), `#/s/${id}`)
  const answer = page.locator('.e-assistant').first()
  await answer.locator('.formula .katex').first().waitFor()
  assert.deepEqual(await answer.locator('.formula').evaluateAll(titles), GOOD.map(inside))
  assert.deepEqual(await answer.locator('code').allTextContents(), BAD)
  assert.equal(await answer.locator('.formula :is(a, img, script)').count(), 0)
  assert.equal(await answer.locator('.formula math').count(), GOOD.length)
  const block = page.locator('.e-assistant').last().locator('.formula-block')
  await block.locator('.katex-display').waitFor()
  assert.equal(await block.getByRole('button', { name: 'Copy formula' }).count(), 1)
  assert.ok(fetched.some((path) => path.endsWith('.woff2')))
  assert.deepEqual(await violations(page, 'formulas'), [])
})

const make = async ({ engine, project }: TestBrowser) => (await engine.create({ cwd: project })).id

const titles = (all: readonly Element[]) => all.map((one) => one.getAttribute('title'))
const inside = (source: string) => source.replace(/^(?:\$|\\\()|(?:\$|\\\))$/g, '')
