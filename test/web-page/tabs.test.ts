/** Many tabs of one browser: all of them live, over a restart and without a connection, and nothing typed is lost. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, promptsOf } from '../support/engine.ts'
import { inBrowser, noBrowser, openBrowser } from './browser.ts'
import type { TestBrowser } from './browser.ts'

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
const sees = (page: Page, text: string) =>
  page.locator('.transcript').getByText(text).first().waitFor()
const write = async (page: Page, text: string) => {
  await page.fill('[data-composer]', text)
  await page.press('[data-composer]', 'Enter')
}
async function tab(context: BrowserContext, id: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${place.server.url}/#/s/${id}`)
  return page
}

/** A browser gives a host six connections, so eight tabs show the rest where twenty were shown before. */
for (const [count, kind] of [
  [20, 'a shared worker'],
  [8, 'a tab that leads'],
] as const)
  test(
    `${count} tabs on ${count} sessions are live at once, through ${kind}`,
    options,
    async () => {
      const first = await place.open()
      const context = first.context()
      if (kind === 'a tab that leads') {
        await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'))
        await first.reload()
      }
      const ids: SessionId[] = []
      for (let at = 0; at < count; at++) ids.push(await session(`begin ${at}`))
      const pages: Page[] = []
      for (const id of ids) pages.push(await tab(context, id))
      await Promise.all(pages.map((page, at) => sees(page, `echo: begin ${at}`)))
      for (const [at, page] of pages.entries()) await write(page, `from tab ${at}`)
      await Promise.all(pages.map((page, at) => sees(page, `echo: from tab ${at}`)))
      // What is said elsewhere comes to a tab that nobody looks at.
      await Promise.all(
        ids.map((id, at) => converse(place.engine, id, { prompt: `elsewhere ${at}` })),
      )
      await Promise.all(pages.map((page, at) => sees(page, `echo: elsewhere ${at}`)))

      // The first tab is the one that leads, where one does.
      await first.close()
      await pages.shift()?.close()
      await place.stopServer()
      await Promise.all(pages.map((page) => page.locator('.banner.is-lost').waitFor()))
      await converse(place.engine, ids[3]!, { prompt: 'meanwhile' })
      await place.startServer()
      await Promise.all(pages.map((page) => page.locator('.banner').waitFor({ state: 'detached' })))
      await sees(pages[2]!, 'echo: meanwhile')
      await write(pages.at(-1)!, 'after the restart')
      await sees(pages.at(-1)!, 'echo: after the restart')
      for (const page of pages)
        assert.equal(
          await page
            .locator('.transcript')
            .getByText(/^echo: begin/)
            .count(),
          1,
        )
      await context.close()
    },
  )

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
