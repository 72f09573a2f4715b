/** What is typed anywhere is there again, whatever became of the page; and a window goes where its place goes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { SessionId } from '../../src/format/ids.ts'
import { converse } from '../support/engine.ts'
import { choose, inBrowser, noBrowser, openBrowser, type TestBrowser } from './browser.ts'

let place: TestBrowser
before(async () => {
  if (noBrowser === false) place = await openBrowser()
})
after(() => place?.[Symbol.asyncDispose]())

async function session(prompt: string): Promise<SessionId> {
  const { id } = await place.engine.create({ cwd: place.project, name: prompt })
  await converse(place.engine, id, { prompt })
  return id
}
const go = (page: Page, hash: string) => page.evaluate((to) => void (location.hash = to), hash)
const isNow = (page: Page, label: string, value: string) =>
  page.waitForFunction(
    ([name, text]) =>
      document.querySelector<HTMLInputElement>(`[aria-label="${name}"]`)?.value === text,
    [label, value],
  )

test(
  'an answer, a comment, a statement and a message that waits outlive a reload',
  inBrowser,
  async () => {
    const id = await session('write typed.txt one')
    const page = await place.open(`#/s/${id}`)
    await page.fill('[data-composer]', 'ask Which colour?')
    await page.press('[data-composer]', 'Enter')
    await page.getByRole('textbox', { name: 'Your answer' }).fill('neither, but')
    await go(page, '#/sql')
    await page.getByLabel('SQL', { exact: true }).fill('SELECT 42')
    await page.reload()
    await isNow(page, 'SQL', 'SELECT 42')
    await go(page, `#/s/${id}`)
    await isNow(page, 'Your answer', 'neither, but')

    await go(page, `#/s/${id}/review?scope=session`)
    await page.locator('.review-lines .at button').first().click()
    await page.getByLabel('Comment on this line').fill('half a thought')
    await page.keyboard.press('Escape')
    await page.reload()
    await page.locator('.review-lines .at button').first().click()
    await isNow(page, 'Comment on this line', 'half a thought')

    await go(page, `#/s/${id}`)
    await page.fill('[data-composer]', 'next')
    await page.press('[data-composer]', 'Enter')
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByLabel('Waiting message').fill('next, but better')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.toast').getByText('cannot be reached').waitFor()
    await isNow(page, 'Waiting message', 'next, but better')
    await page.context().setOffline(false)
    await page.locator('.banner.is-lost').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.queue').getByText('next, but better').waitFor()
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.locator('.transcript').getByText('answered: neither, but').waitFor()
    await page.locator('.transcript').getByText('echo: next, but better').waitFor()
    await page.context().close()
  },
)

test('who goes back leaves the window that lies over the page', inBrowser, async () => {
  const [first, second] = [await session('the first'), await session('the second')]
  const page = await place.open(`#/s/${first}`)
  await page.locator('.session-head').getByText('the first').waitFor()
  await go(page, `#/s/${second}`)
  await page.locator('.session-head').getByText('the second').waitFor()
  await choose(page, 'Delete…')
  await page.locator('dialog[open]').waitFor()
  await page.goBack()
  await page.locator('.session-head').getByText('the first').waitFor()
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await go(page, '#/trash')
  await page.keyboard.press('n')
  await page.getByLabel('First message').fill('kept')
  await page.goBack()
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await page.keyboard.press('n')
  await isNow(page, 'First message', 'kept')
  await page.context().close()
})

test('what a browser forbids to copy says so', inBrowser, async () => {
  const page = await place.open(`#/s/${await session('copy this')}`)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
  })
  await page.getByRole('button', { name: 'Copy answer' }).first().click()
  const told = page.getByRole('button', { name: 'The browser forbids it' })
  assert.equal(await told.getAttribute('title'), await told.getAttribute('aria-label'))
  await choose(page, 'Copy link to this session')
  await page.locator('.toast').getByText('The browser forbids to copy it').waitFor()
  await page.context().close()
})
