/** Hostile texts everywhere around a session: lists, search, reports, charts, review, board, SQL, asks, exports. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { AgentItem } from '../../src/engine/agent.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { exportSession } from '../../src/surfaces/web/export.ts'
import { readPageStyle } from '../../src/surfaces/web/page-folder.ts'
import { converse, endTool, startTool } from '../support/engine.ts'
import { noBrowser, shell, type TestBrowser } from './browser.ts'
import { foreign, openHostile, visit, watch } from './hostile-home.ts'
import { payloads } from './payloads.ts'

test(
  'no payload runs in any view around a session',
  { skip: noBrowser, timeout: 280_000 },
  async () => {
    let project = ''
    await using hostile = await openHostile(async function* (turn) {
      const text = turn.message.content
      if (text === 'write') return yield* writeAll(project)
      await Promise.all([turn.permit(shell(text)), turn.ask({ question: text, choices: [text] })])
      yield { notice: { type: 'assistant.intent', data: { intent: text } } }
    })
    const { place, page, ids } = hostile
    ;({ project } = place)
    await visit(page, '#/', '.item')
    for (const query of ['script', 'onerror', 'javascript'])
      await visit(page, `#/search?q=${query}`, '.results')
    await visit(page, `#/search?q=${encodeURIComponent(payloads[2] ?? '')}`, '[data-search]')
    for (const kind of ['standup', 'tips', 'improve', 'cost', 'charts'])
      await visit(page, `#/chronicle/${kind}`, '.page')
    await visit(page, '#/chronicle/charts', '.chart-box canvas')
    await reviewed(place, page)
    await fillBoard(place)
    await visit(page, '#/board', '.card')
    await page.getByRole('button', { name: 'Add a note' }).click()
    await page.keyboard.press('Escape')
    await visit(page, '#/sql', 'textarea')
    await page.fill('textarea', 'SELECT user_message, * FROM turns JOIN sessions LIMIT 300')
    await page.keyboard.press('Control+Enter')
    await page.locator('.result-table td').first().waitFor()
    for (const payload of payloads.slice(0, 30)) {
      await page.evaluate((to) => void (location.hash = to), `#/s/${encodeURIComponent(payload)}`)
      await page.locator('.missing, .banner').first().waitFor()
    }
    await asked(page, String(ids[0]))
    await lookAtExports(place, ids)
    await place.engine.remove(ids)
    await visit(page, '#/trash', '.card')
    assert.deepEqual(await hostile.troubles(), [])
  },
)

/** A file whose name and lines are payloads, in a language that is highlighted. */
const FILE = '<img src=x onerror=alert(1)>.html'
/** With a NUL it would be no text. */
const LINES = payloads.filter((payload) => !payload.includes('\0'))

async function* writeAll(project: string): AsyncGenerator<AgentItem> {
  yield startTool('w', 'write_file', { path: FILE })
  await writeFile(join(project, FILE), LINES.join('\n'))
  yield endTool('w', 'written')
}

async function reviewed({ engine, project }: TestBrowser, page: Page): Promise<void> {
  const { id } = await engine.create({ cwd: project })
  await converse(engine, id, { prompt: 'write' })
  for (const layout of ['In one column', 'Side by side']) {
    await visit(page, `#/s/${id}/review?scope=session`, '.review-lines')
    await page.getByRole('button', { name: layout }).click()
    const [first = ''] = LINES
    await page.locator('.review-lines').getByText(first.slice(0, 20)).first().waitFor()
    const lines = LINES.join('\n').split('\n').length
    await page.waitForFunction(
      (count) => document.querySelectorAll('.review-lines td.text.d-add').length >= count,
      lines - 1,
    )
  }
}

/** What a permission and a question show comes from the agent. */
async function asked(page: Page, id: string): Promise<void> {
  await visit(page, `#/s/${id}`, '.entry')
  for (const payload of payloads.filter((_, index) => index % 30 === 0)) {
    await page.fill('[data-composer]', payload)
    await page.press('[data-composer]', 'Enter')
    await page.locator('div.ask').waitFor()
    await page.locator('form.ask').waitFor()
    await page.fill('[data-composer]', payload)
    await page.press('[data-composer]', 'Enter')
    await page.locator('.queue').getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Waiting message').press('Escape')
    await page.locator('.queue').getByRole('button', { name: 'Take out of the queue' }).click()
    await page.locator('.queue').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.locator('.session-head').getByText('Idle').waitFor()
  }
}

/** Each payload once in each field of a note, as long as the field takes it. */
async function fillBoard({ board }: TestBrowser): Promise<void> {
  const note = (text: string) => ({
    repository: text.slice(0, 200),
    branch: text.slice(0, 200),
    src: text.slice(0, 40),
    name: text.slice(0, 100),
    description: text.slice(0, 200),
    content: text,
  })
  for (const payload of payloads.filter((_, index) => index % 10 === 0))
    await board.add(note(payload))
  await board.propose('s', payloads.map(note))
}

/** The exported files, with scripts allowed: nothing in them is one. */
async function lookAtExports(
  { engine, browser }: TestBrowser,
  ids: readonly SessionId[],
): Promise<void> {
  const context = await browser.newContext({ colorScheme: 'light' })
  for (const id of ids) {
    const parts = { redact: async <T>(value: T) => value, readStyle: readPageStyle }
    const { text } = await exportSession(engine, parts, id, 'html')
    const page = await context.newPage()
    const troubles = watch(page, 'about:blank')
    await page.setContent(text)
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    assert.ok((await page.locator('.entry').count()) > 1000)
    assert.deepEqual(troubles, [])
    assert.deepEqual(await foreign(page, 'body'), [])
    assert.equal(await page.locator('script').count(), 0)
    await page.close()
  }
  await context.close()
}
