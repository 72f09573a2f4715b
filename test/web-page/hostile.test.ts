/** Hostile texts in every field of every event that a session shows: each is drawn, nothing runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { SessionId } from '../../src/format/ids.ts'
import { say } from '../support/engine.ts'
import { noBrowser } from './browser.ts'
import { SIZE, eventsWith, openHostile } from './hostile-home.ts'
import { payloads } from './payloads.ts'

test(
  'every payload is drawn in a session, and none runs, opens a dialog or leaves the server',
  { skip: noBrowser, timeout: 280_000 },
  async () => {
    assert.ok(payloads.length >= 300)
    await using hostile = await openHostile(async function* () {
      yield say('nothing')
    })
    const { page, ids } = hostile
    for (const id of ids) {
      await page.evaluate((to) => void (location.hash = to), `#/s/${id}`)
      await page.locator(`[aria-current=page][href='#/s/${id}']`).waitFor()
      await page.locator('.entry').first().waitFor()
      assert.deepEqual(notDrawn(id, await lookAtAll(page)), [])
      for (const tab of ['Plan', 'Files', 'Checkpoints', 'Forks', 'Context', 'Timeline'])
        await page.getByRole('tab', { name: tab }).click()
      await page.locator('.facts button').click()
      await page.locator('dialog select').first().waitFor()
      await page.keyboard.press('Escape')
    }
    assert.deepEqual(await hostile.troubles(), [])
  },
)

/** From the end to the beginning, everything that opens opened. */
async function lookAtAll(page: Page): Promise<readonly string[]> {
  // Pages before the one that is held come as a person scrolls up.
  await page.waitForFunction(() => {
    const box = document.querySelector('.transcript')!
    const isFirst = [...box.querySelectorAll('[data-row]')].some((row) =>
      /^\S+-1 /.test(row.getAttribute('data-row') ?? ''),
    )
    if (!isFirst) box.scrollTop = box.scrollTop > 0 ? 0 : 1
    return isFirst
  })
  return page.evaluate(async () => {
    const box = document.querySelector('.transcript')!
    const seen = new Set<string>()
    const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    box.scrollTop = 0
    for (let steps = 0; steps < 4000; steps++) {
      await drawn()
      for (const details of box.querySelectorAll('details')) details.open = true
      for (const row of box.querySelectorAll('[data-row]'))
        seen.add(row.getAttribute('data-row') ?? '')
      await drawn()
      const before = box.scrollTop
      box.scrollTop = before + box.clientHeight * 0.8
      if (box.scrollTop === before) break
    }
    return [...seen]
  })
}

/** Of each payload: as message, thought, answer and tool, which are rows of their own. What is around them is folded into one. */
function notDrawn(id: SessionId, rows: readonly string[]): string[] {
  const drawn = new Set(rows.map((row) => row.split(' ').slice(0, 2).join(' ')))
  const count = Math.min(SIZE, payloads.length - Number(id.slice(7, 8)) * SIZE)
  return Array.from({ length: count }, (_, index) => 1 + index * eventsWith('', 0).length).flatMap(
    (at) =>
      [`${id}-${at} user`, `${id}-${at + 1} thought`, `${id}-${at + 2} assistant`].filter(
        (row) => !drawn.has(row),
      ),
  )
}
