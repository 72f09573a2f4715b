/** Many tabs of one browser: all of them live at once, and again after a restart. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { SessionId } from '../../src/format/ids.ts'
import { converse } from '../support/engine.ts'
import { inBrowser, openBrowser, sees, write } from './browser.ts'

/** Twenty pages on a machine that is slow: what is waited for comes at once on any other. */
const options = { ...inBrowser, timeout: 280_000 }

async function tab(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address, { waitUntil: 'commit' })
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
      await using place = await openBrowser()
      const { engine, project } = place
      const first = await place.open()
      const context = first.context()
      if (kind === 'a tab that leads') {
        await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'))
        await first.reload()
      }
      const ids: SessionId[] = []
      for (let at = 0; at < count; at++) {
        const { id } = await engine.create({ cwd: project })
        await converse(engine, id, { prompt: `begin ${at}` })
        ids.push(id)
      }
      const pages: Page[] = []
      for (const id of ids) pages.push(await tab(context, `${place.server.url}/#/s/${id}`))
      await Promise.all(pages.map((page, at) => sees(page, `echo: begin ${at}`)))
      for (const [at, page] of pages.entries()) await write(page, `from tab ${at}`)
      await Promise.all(pages.map((page, at) => sees(page, `echo: from tab ${at}`)))
      // What is said elsewhere comes to a tab that nobody looks at.
      await Promise.all(ids.map((id, at) => converse(engine, id, { prompt: `elsewhere ${at}` })))
      await Promise.all(pages.map((page, at) => sees(page, `echo: elsewhere ${at}`)))

      // The first tab is the one that leads, where one does. Seven of the others come back from a restart.
      await first.close()
      const left = pages.splice(1, 7)
      await Promise.all(pages.map((page) => page.close()))
      await place.stopServer()
      await Promise.all(left.map((page) => page.locator('.banner.is-lost').waitFor()))
      await converse(engine, ids[3]!, { prompt: 'meanwhile' })
      await place.startServer()
      await Promise.all(left.map((page) => page.locator('.banner').waitFor({ state: 'detached' })))
      await sees(left[2]!, 'echo: meanwhile')
      await write(left.at(-1)!, 'after the restart')
      await sees(left.at(-1)!, 'echo: after the restart')
      for (const page of left) {
        const begun = page.locator('.transcript').getByText(/^echo: begin/)
        assert.equal(await begun.count(), 1)
      }
    },
  )
