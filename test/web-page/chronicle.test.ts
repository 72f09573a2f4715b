/** Chronicle in a real browser: days of the person who looks, money that is counted once, a year that ends today. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { converse, say, type Script } from '../support/engine.ts'
import { inBrowser, openBrowser } from './browser.ts'

const spends: Script = async function* (turn) {
  const usage = { model: 'gpt-test', inputTokens: 1200, outputTokens: 300 }
  yield { draft: { type: 'session.usage_record', data: { usage, reprise: { dollars: 0.5 } } } }
  yield say(`echo: ${turn.message.content}`)
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
/** They are 25 hours apart, so that one of them at least has another day than UTC. */
const zones = ['Pacific/Kiritimati', 'Pacific/Niue']

test('charts and costs are of the person’s days, once, on a phone too', inBrowser, async () => {
  await using place = await openBrowser(spends)
  const { id } = await place.engine.create({ cwd: place.project, name: 'dear' })
  for (const prompt of ['one', 'two']) await converse(place.engine, id, { prompt })
  const session = await place.engine.open(id)
  for (const name of ['left', 'right', 'middle']) await session.fork({ name })
  for (const timezoneId of zones) {
    const page = await place.open('#/chronicle/charts', { ...phone, timezoneId })
    const last = page.locator('.heat rect').last()
    await last.waitFor()
    // Work of this minute is on the last square: today, there.
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezoneId }).format(Date.now())
    assert.equal(await last.locator('title').textContent(), `${today}: 2 turns`)
    const { x = 0, width = 0 } = (await last.boundingBox()) ?? {}
    assert.ok(x > 0 && x + width <= 390, `today is at ${x}`)
    await page.locator('.chart-box canvas').first().waitFor()
    const sums = page.locator('.chart', { hasText: 'Money by day' }).locator('figcaption')
    await sums.getByText('$1.00 of $1.00 in 30 days').waitFor()
    await sums.getByText(today, { exact: true }).waitFor()

    await page.evaluate(() => void (location.hash = '#/chronicle/cost'))
    await page.locator('.sums strong').getByText('$1.00', { exact: true }).waitFor()
    await page.locator('.sums').getByText('2 calls of models in 1 session').waitFor()
    await page.evaluate(() => void (location.hash = '#/chronicle/standup'))
    await page.locator('.md').getByText(`(${timezoneId})`).first().waitFor()
    await page.locator('.md').getByText(today).first().waitFor()
    await page
      .locator('.md')
      .getByRole('link', { name: id.slice(0, 8) })
      .first()
      .waitFor()
    await page.context().close()
  }
})

test(
  'the numbers of a chart stand in a table, and its colours follow the page',
  inBrowser,
  async () => {
    await using place = await openBrowser(spends)
    const { id } = await place.engine.create({ cwd: place.project })
    await converse(place.engine, id, { prompt: 'one' })
    const page = await place.open('#/chronicle/charts', { colorScheme: 'light' })
    const chart = page.locator('.chart', { hasText: 'Tokens by day' })
    await chart.locator('canvas').waitFor()
    const drawn = () =>
      chart.locator('canvas').evaluate((each) => (each as HTMLCanvasElement).toDataURL())
    const light = await drawn()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(
      (before) =>
        document.querySelector<HTMLCanvasElement>('.chart canvas')?.toDataURL() !== before,
      light,
    )
    await chart.getByText('Numbers').click()
    await chart.locator('td').getByText('1.5k', { exact: true }).waitFor()
  },
)
