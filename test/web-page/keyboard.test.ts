/** Every flow by the keyboard alone: no click, no tap, and the focus is always somewhere that can be seen. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { converse, promptsOf } from '../support/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { inBrowser, noBrowser, openBrowser, sees, type TestBrowser } from './browser.ts'

let place: TestBrowser
before(async () => {
  if (noBrowser === false) place = await openBrowser()
})
after(() => place?.[Symbol.asyncDispose]())

const wide = { viewport: { width: 1400, height: 900 } }
const MOST_STEPS = 150

/** Steps on until what is called so has the focus. */
async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const seen: string[] = []
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const at = await page.evaluate(() => {
      const active = document.activeElement
      if (active === null || active === document.body) return ''
      const label = active instanceof HTMLInputElement ? active.labels?.[0]?.textContent : null
      const own = active.getAttribute('aria-label') ?? active.getAttribute('title') ?? label
      return (own ?? active.textContent ?? '').trim()
    })
    if (name.test(at)) return
    seen.push(at)
    await page.keyboard.press(key)
  }
  assert.fail(`${name} never had the focus; these had: ${[...new Set(seen)].join(' | ')}`)
}
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
/** Out of a field, so that a key is one of the page. */
const leave = (page: Page) => page.keyboard.press('Escape')
const send = async (page: Page, text: string) => {
  await leave(page)
  await press(page, 'i')
  await page.keyboard.type(text)
  await press(page, 'Enter')
}

test(
  'a session is begun, answered, stopped, reviewed, rewound and deleted by keys',
  inBrowser,
  async () => {
    const page = await place.open('#/', wide)
    await page.locator('.rail').waitFor()
    await press(page, 'n')
    await page.waitForFunction(() => document.activeElement?.matches('dialog textarea'))
    await page.keyboard.type('write k.txt one')
    await press(page, 'Enter')
    await sees(page, 'wrote k.txt')
    const id = (await page.evaluate(() => location.hash.slice('#/s/'.length))) as SessionId

    await send(page, 'permit make all')
    await page.locator('div.ask').waitFor()
    await leave(page)
    await tabTo(page, /^Allow/, 'Shift+Tab')
    await press(page, 'y')
    await sees(page, 'decided: allow')
    await send(page, 'ask which colour')
    await page.locator('form.ask').waitFor()
    await tabTo(page, /^blue$/, 'Shift+Tab')
    await press(page, 'Enter')
    await sees(page, 'answered: blue')

    await send(page, 'hold')
    await page.locator('.session-head').getByText('Working').waitFor()
    await send(page, 'after it')
    await page.locator('.queue').getByText('after it').waitFor()
    await tabTo(page, /^Stop/)
    await press(page, 'Enter')
    await page.locator('.queue').getByText('Held').waitFor()
    await tabTo(page, /^Go on$/, 'Shift+Tab')
    await press(page, 'Enter')
    await sees(page, 'echo: after it')
    await page.locator('.session-head').getByText('Idle').waitFor()

    await leave(page)
    await press(page, 'f')
    await page.keyboard.type('colour')
    await page.locator('.find').getByText(/of/).waitFor()
    await leave(page)
    await page.locator('.find').waitFor({ state: 'detached' })
    await press(page, 'r')
    await page.locator('.review-lines').waitFor()
    await tabTo(page, /^Line 1: comment or blame$/)
    await press(page, 'Enter')
    await page.keyboard.type('say two')
    await press(page, 'Control+Enter')
    await tabTo(page, /^Send to the agent$/)
    await press(page, 'Enter')
    await sees(page, 'say two')

    await page.locator('.session-head').getByText('Idle').waitFor()
    await leave(page)
    await tabTo(page, /^More to do/)
    await press(page, 'Enter')
    await tabTo(page, /^Undo…$/)
    await press(page, 'Enter')
    await page.locator('dialog').getByText('1 turn leaves').waitFor()
    await tabTo(page, /^Rewind/)
    await press(page, 'Enter')
    await page.locator('.transcript').getByText('say two').first().waitFor({ state: 'detached' })
    assert.equal(await readFile(join(place.project, 'k.txt'), 'utf8'), 'one')
    assert.deepEqual((await promptsOf(place.engine, id)).slice(-2), ['hold', 'after it'])

    await leave(page)
    await tabTo(page, /^More to do/)
    await press(page, 'Enter')
    await tabTo(page, /^Delete…$/)
    await press(page, 'Enter')
    await tabTo(page, /^Delete$/)
    await press(page, 'Enter')
    await page.waitForFunction(() => location.hash === '#/')
    await leave(page)
    await press(page, 'g', 't')
    await page.locator('.card').first().waitFor()
    await tabTo(page, /^Restore/)
    await press(page, 'Enter')
    await page.waitForFunction((wanted) => location.hash.includes(wanted), id)
    await page.context().close()
  },
)

test(
  'a fork, a refusal, a model, a file that is restored and the colours are chosen by keys',
  inBrowser,
  async () => {
    const { id } = await place.engine.create({ cwd: place.project, name: 'more by keys' })
    await converse(place.engine, id, { prompt: 'write r.txt one' })
    await converse(place.engine, id, { prompt: 'write r.txt two' })
    const page = await place.open(`#/s/${id}`, wide)
    await sees(page, 'wrote r.txt')
    await send(page, 'permit make all')
    await page.locator('div.ask').waitFor()
    await leave(page)
    await tabTo(page, /^Deny/, 'Shift+Tab')
    await press(page, 'n')
    await sees(page, 'decided: deny')

    await leave(page)
    await tabTo(page, /^Who answers/)
    await press(page, 'Enter')
    await tabTo(page, /^Model/)
    await page.keyboard.type('m9')
    await press(page, 'Enter')
    await page.locator('.facts').getByText('m9').waitFor()

    await leave(page)
    await press(page, 'r')
    await page.locator('.review-lines').first().waitFor()
    await tabTo(page, /^Only this file/)
    await press(page, 'Enter')
    await page.locator('.toast').getByText('r.txt').waitFor()
    await leave(page)
    await tabTo(page, /^Back to the session/)
    await press(page, 'Enter')

    await tabTo(page, /^More to do/)
    await press(page, 'Enter')
    await tabTo(page, /^Fork$/)
    await press(page, 'Enter')
    await page.waitForFunction((from) => !location.hash.includes(from), id)
    await sees(page, 'decided: deny')
    await leave(page)
    const before = await page.evaluate(() => document.documentElement.dataset['theme'])
    await tabTo(page, /^Colours/)
    await press(page, 'Enter')
    await page.waitForFunction(
      (former) => document.documentElement.dataset['theme'] !== former,
      before,
    )
    await page.context().close()
  },
)

test(
  'every place is reached, searched and used by keys, and the list moves the focus',
  inBrowser,
  async () => {
    const { id } = await place.engine.create({ cwd: place.project, name: 'found by keys' })
    await (
      await (await place.engine.open(id)).send({ prompt: 'the quiet heron' })
    ).ended
    const page = await place.open('#/', wide)
    await page.locator('.session-link').first().waitFor()
    await press(page, 'j')
    await page.waitForFunction(() => document.activeElement?.matches('.session-link.is-chosen'))
    await press(page, 'Enter')
    await page.waitForFunction(() => location.hash.startsWith('#/s/'))

    await leave(page)
    await press(page, 'g', 'h')
    await page.waitForFunction(() => document.activeElement?.matches('main [data-search]'))
    // The index follows behind the turn: what was asked too early is asked again.
    for (let tries = 0; tries < 12 && (await page.locator('.result').count()) === 0; tries++) {
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('heron')
      await page
        .locator('.result')
        .first()
        .waitFor({ timeout: 5000 })
        .catch(() => {}) // asked again
    }
    await page.locator('.result').first().waitFor()
    await tabTo(page, /the quiet heron/)
    await press(page, 'Enter')
    await page.waitForFunction((wanted) => location.hash.includes(wanted), id)

    await leave(page)
    await press(page, 'g', 'c')
    await page.locator('.page .md').waitFor()
    await tabTo(page, /^Charts$/)
    await press(page, 'Enter')
    await page.locator('.heat').waitFor()
    await leave(page)
    await press(page, 'g', 'q')
    const isInField = () => page.evaluate(() => document.activeElement?.tagName === 'TEXTAREA')
    for (let steps = 0; steps < MOST_STEPS && !(await isInField()); steps++)
      await press(page, 'Tab')
    await press(page, 'Control+a')
    await page.keyboard.type('SELECT 6 * 7 AS answer')
    await press(page, 'Control+Enter')
    await page.locator('.result-table td').getByText('42').waitFor()

    await leave(page)
    await press(page, 'g', 'b')
    await tabTo(page, /^Add a note$/)
    await press(page, 'Enter')
    await page.waitForFunction(() => document.activeElement?.matches('dialog input'))
    await leave(page)
    await press(page, 'Control+k')
    await page.waitForFunction(() => document.activeElement?.matches('dialog input'))
    await page.keyboard.type('inbox')
    await press(page, 'Enter')
    await page.waitForFunction(() => location.hash === '#/inbox')
    await page.context().close()
  },
)
