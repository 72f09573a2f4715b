/** A tab whose server or network is gone for a while: it says so, comes back, and nothing typed is lost. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, promptsOf } from '../support/engine.ts'
import { inBrowser, noBrowser, openBrowser, sees, write, type TestBrowser } from './browser.ts'

let place: TestBrowser
before(async () => {
  if (noBrowser === false) place = await openBrowser()
})
after(() => place?.[Symbol.asyncDispose]())

const options = inBrowser

async function session(prompt: string): Promise<SessionId> {
  const { id } = await place.engine.create({ cwd: place.project })
  await converse(place.engine, id, { prompt })
  return id
}

test(
  'what is typed outlives a lost connection and a reload, and is sent once',
  options,
  async () => {
    const id = await session('first')
    const page = await place.open(`#/s/${id}`)
    await sees(page, 'echo: first')
    await page.context().setOffline(true)
    await write(page, 'in a tunnel')
    await page.locator('.toast').getByText('cannot be reached').waitFor()
    await page.locator('.banner.is-lost').getByText('Disconnected').waitFor()
    assert.equal(await page.inputValue('[data-composer]'), 'in a tunnel')
    await page.context().setOffline(false)
    await page.locator('.banner.is-lost').waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('[data-composer]').waitFor()
    assert.equal(await page.inputValue('[data-composer]'), 'in a tunnel')
    await page.press('[data-composer]', 'Enter')
    await sees(page, 'echo: in a tunnel')
    await page.reload()
    await sees(page, 'echo: in a tunnel')
    assert.equal(await page.inputValue('[data-composer]'), '')
    assert.deepEqual(await promptsOf(place.engine, id), ['first', 'in a tunnel'])
    await page.context().close()
  },
)

test(
  'a request that is not answered ends with words, and nothing typed is lost',
  options,
  async () => {
    const id = await session('first')
    const page = await place.open(`#/s/${id}`)
    await sees(page, 'echo: first')
    // The deadline is the clock of the browser: it is brought nearer, and what happens then is the page's own.
    await page.evaluate(() => {
      const given = AbortSignal.timeout.bind(AbortSignal)
      AbortSignal.timeout = () => given(3000)
    })
    await page.route('**/send', () => {})
    await write(page, 'into the void')
    await page.locator('[data-composer]').pressSequentially('typed since')
    await page.locator('.toast').getByText('did not answer within').waitFor()
    assert.equal(await page.inputValue('[data-composer]'), 'into the void\n\ntyped since')
    await page.context().close()
  },
)

test('a page of a version before says so when the server was updated', options, async () => {
  const page = await place.open()
  await page.locator('.rail').waitFor()
  await place.stopServer()
  await page.locator('.banner.is-lost').waitFor()
  await place.startServer({ version: 'the next one' })
  await page.locator('.banner').getByText('Reprise was updated').waitFor()
  await page.getByRole('button', { name: 'Load it' }).click()
  await page.locator('.rail').waitFor()
  await page.locator('.banner').waitFor({ state: 'detached' })
  await page.context().close()
})

test(
  'a page that was built anew since is told of, also with the same version',
  options,
  async () => {
    const page = await place.open()
    await page.locator('.rail').waitFor()
    const index = join(place.home.path, 'page', 'index.html')
    const built = await readFile(index, 'utf8')
    await writeFile(index, built.replace(/(name="build" content=")\w+/, '$1another'))
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.locator('.banner').getByText('Reprise was updated').waitFor()
    await page.getByRole('button', { name: 'Load it' }).click()
    await page.locator('.rail').waitFor()
    await page.locator('.banner').waitFor({ state: 'detached' })
    await page.context().close()
  },
)
