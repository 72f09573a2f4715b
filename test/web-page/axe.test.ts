/** Every view, light and dark and on a phone, by axe: no violation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { converse } from '../support/engine.ts'
import { choose, inBrowser, openBrowser } from './browser.ts'
import { misplaced, violations } from './violations.ts'

const sizes = [
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true },
] as const

test(
  'no view has a violation, in both colours and on a phone',
  { ...inBrowser, timeout: 280_000 },
  async () => {
    await using place = await openBrowser()
    const { engine, project } = place
    const { id } = await engine.create({ cwd: project, name: 'looked at' })
    for (const prompt of [
      'write a.txt one',
      'write a.txt two',
      'print 80',
      '| a | b |\n|-|-|\n| 1 | 2 |',
    ])
      await converse(engine, id, { prompt })
    const { id: waits } = await engine.create({ cwd: project, name: 'waits' })
    const asking = await engine.open(waits)
    await asking.send({ prompt: 'permit rm -rf build && npm install --no-audit && npm run build' })
    const views = [
      ['#/', '.item'],
      ['#/sessions', '.app'],
      ['#/inbox', 'div.ask'],
      [`#/s/${id}`, '.entry'],
      [`#/s/${waits}`, 'div.ask'],
      [`#/s/${id}/review?scope=session`, '.review-lines'],
      ['#/search?q=echo', '.result'],
      ['#/chronicle/standup', '.md'],
      ['#/chronicle/cost', '.page h2.unseen-text'],
      ['#/chronicle/charts', '.chart'],
      ['#/board', 'h1'],
      ['#/sql', 'textarea'],
      ['#/trash', 'h1'],
      ['#/s/00000000-0000-4000-8000-000000000000', '.missing'],
    ] as const
    const dialogs: readonly (readonly [string, (page: Page) => Promise<void>, string])[] = [
      ['#/board', (page) => page.keyboard.press('n'), 'dialog textarea'],
      ['#/board', (page) => page.keyboard.press('Control+k'), 'dialog [role=option]'],
      ['#/board', (page) => page.keyboard.press('?'), 'dialog kbd'],
      [`#/s/${id}`, (page) => choose(page, 'Undo…'), 'dialog .buttons'],
      [`#/s/${id}`, (page) => page.locator('.facts button').click(), 'dialog select'],
      [`#/s/${id}`, (page) => page.keyboard.press('f'), '.find input'],
      ['#/sessions', (page) => page.fill('[data-search]', 'no such name'), '[role=status].pad'],
      [`#/s/${id}`, (page) => page.locator('.session-head .menu > summary').click(), '.menu-list'],
    ]
    const found: string[] = []
    for (const size of sizes) {
      const page = await place.open('#/', size)
      for (const [hash, selector] of views) {
        await page.evaluate((to) => void (location.hash = to), hash)
        await page.locator(selector).first().waitFor()
        const where = `${size.colorScheme} ${size.viewport.width} ${hash}`
        const onlyColours = size === sizes[1]
        found.push(...(await violations(page, where, { onlyColours })))
        if (!onlyColours) found.push(...(await misplaced(page, where)))
      }
      // What differs between the others was seen in the views.
      const isEnd = size !== sizes[1]
      for (const [hash, act, selector] of isEnd ? dialogs : []) {
        await page.evaluate((to) => void (location.hash = to), hash)
        await page.locator('main').first().waitFor()
        await act(page)
        await page.locator(selector).first().waitFor()
        found.push(
          ...(await violations(
            page,
            `${size.colorScheme} ${size.viewport.width} ${hash} ${selector}`,
          )),
        )
        await page.reload()
        await page.locator('.app').waitFor()
      }
      await page.context().close()
    }
    await asking.cancel()
    assert.deepEqual(found, [])
  },
)
