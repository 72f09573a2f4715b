/** A guest in a real browser: what they see of a session, and what is not there for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createRedactor } from '../../src/lib/redact/redact.ts'
import { converse, eventsOf } from '../support/engine.ts'
import { choose, inBrowser, openBrowser, type TestBrowser } from './browser.ts'

const options = inBrowser
const SECRET = `ghp_${'x7Kq2LmZ9vTn4RbW1c'}${'Yd8HsJ5gFp3QeA6uXi'}`

async function openLink({ browser }: TestBrowser, link: string): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await page.setViewportSize({ width: 1400, height: 1400 })
  await page.goto(link)
  return page
}

const sees = (page: Page, text: string | RegExp, inside = '.transcript') =>
  page.locator(inside).getByText(text).first().waitFor()

test(
  'a guest watches the session grow, without its secrets and without anything that changes it',
  options,
  async () => {
    const redactor = createRedactor({ key: new Uint8Array(32) })
    const redact = async <T>(value: T) => redactor.redactJson(value).value
    await using place = await openBrowser(undefined, {}, { redact })
    const { engine, project } = place
    const { id } = await engine.create({ cwd: project, name: 'a talk' })
    await converse(engine, id, { prompt: `use ${SECRET}` })
    await (await engine.open(id)).writePlan(`# Plan\n\nRotate ${SECRET}`)
    const { id: other } = await engine.create({ cwd: project, name: 'not for guests' })
    await converse(engine, other, { prompt: 'hidden' })

    const owner = await place.open(`#/s/${id}`)
    await choose(owner, 'Guest link…')
    const dialog = owner.locator('dialog[open]')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
    await sees(owner, /^Until .*Only this machine/, 'dialog[open]')
    await dialog.getByRole('button', { name: 'Close' }).click()

    const guest = await openLink(place, link)
    await guest.getByText('Read-only view. Secrets are hidden.').waitFor()
    await guest.getByRole('heading', { name: 'a talk' }).waitFor()
    await sees(guest, /echo: use \[REDACTED:/)
    assert.deepEqual(await guest.locator('.e-user .who').allTextContents(), ['User'])
    assert.equal(await guest.evaluate('location.hash'), '#/guest')
    await sees(guest, /use \[REDACTED:/, '.timeline')
    assert.deepEqual(await guest.getByRole('tab').allTextContents(), [
      'Timeline',
      'Plan',
      'Checkpoints',
    ])
    await guest.getByRole('tab', { name: 'Plan' }).click()
    await sees(guest, /Rotate \[REDACTED:/, '.panel')

    await converse(engine, id, { prompt: 'write a.txt hello' })
    await sees(guest, 'wrote a.txt')
    const asked = converse(engine, id, { prompt: 'permit rm -rf build' })
    await sees(guest, 'Waits for an answer', '.session-head')
    assert.deepEqual(
      await guest
        .locator('.composer, [data-composer], .rail, .ask, .queue, nav, select, textarea, form')
        .count(),
      0,
    )
    // Folds of the transcript aside, these are all buttons there are, but for those that copy.
    const buttons = await guest
      .locator('button:not(.copy, [role=tab], .turn)')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')?.split(':')[0]))
    assert.deepEqual(buttons, ['Colours', 'Panel', 'Close the panel'])
    const request = (await eventsOf(engine, id)).findLast(
      (each) => each.type === 'permission.requested',
    )
    const { requestId } = request!.data as { requestId: string }
    await (await engine.open(id)).answer(requestId, { kind: 'allow' })
    await asked
    await sees(guest, 'decided: allow')
    await guest.locator('.session-head').getByText('Idle').waitFor()

    await guest.reload()
    await sees(guest, 'decided: allow')
    const whole = await guest.content()
    assert.ok(!whole.includes(SECRET) && !whole.includes('not for guests'))
    // The owner who opens it stays the owner.
    await owner.goto(link)
    await owner.locator('[data-composer]').waitFor()
    await sees(owner, `echo: use ${SECRET}`)
  },
)

test('a link that expires says so, and what to do', options, async () => {
  let nowMs = Date.now()
  await using place = await openBrowser(
    undefined,
    {},
    { now: () => nowMs, limits: { heartbeatMs: 50 } },
  )
  const { id } = await place.engine.create({ cwd: place.project })
  await converse(place.engine, id, { prompt: 'first' })
  const { link } = await place.server.guestLink(id, 1)
  const guest = await openLink(place, link)
  await sees(guest, 'echo: first')
  nowMs += 2 * 3_600_000
  await sees(guest, /has expired or was ended. Ask the person who gave it to you/, '.session-main')
  await guest.reload()
  await sees(guest, /has expired or was ended/, '.refused')
  const late = await openLink(place, link)
  await sees(late, /has expired or was ended/, '.refused')
  // A new link in the same tab is taken.
  await late.goto((await place.server.guestLink(id, 1)).link)
  await sees(late, 'echo: first')
})
