/** Hostile texts in every field of every event that is shown: nothing runs, nothing is asked for elsewhere. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { asSessionId } from '../../src/format/ids.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { readPageStyle } from '../../src/surfaces/web/page-folder.ts'
import { exportSession } from '../../src/surfaces/web/export.ts'
import { noBrowser, openBrowser, shell } from './browser.ts'
import type { TestBrowser } from './browser.ts'
import { payloads } from './payloads.ts'

test(
  'no payload runs a script, opens a dialog or leaves the server',
  { skip: noBrowser, timeout: 240_000 },
  async () => {
    assert.ok(payloads.length >= 300)
    await using place = await openBrowser(async function* (turn) {
      const [text = ''] = [turn.message.content]
      await Promise.all([turn.permit(shell(text)), turn.ask({ question: text, choices: [text] })])
      yield { notice: { type: 'assistant.intent', data: { intent: text } } }
    })
    const ids = await writeSessions(place)
    const page = await place.open('#/', { viewport: { width: 1400, height: 900 } })
    const troubles = watch(page, place.server.url)
    await page.evaluate(() => {
      Object.assign(window, { __ran: 0, alert: () => Object.assign(window, { __ran: 1 }) })
    })
    for (const id of ids) {
      await page.evaluate((to) => void (location.hash = to), `#/s/${id}`)
      await page.locator(`[aria-current=page][href='#/s/${id}']`).waitFor()
      await page.locator('.entry').first().waitFor()
      await lookAtAll(page)
      for (const tab of ['Plan', 'Files', 'Checkpoints', 'Forks', 'Context', 'Timeline'])
        await page.getByRole('tab', { name: tab }).click()
      await page.locator('.facts button').click()
      await page.locator('dialog select').first().waitFor()
      await page.keyboard.press('Escape')
    }
    for (const query of ['script', 'onerror', 'javascript'])
      await visit(page, `#/search?q=${query}`, '.results')
    await visit(page, `#/search?q=${encodeURIComponent(payloads[2] ?? '')}`, '[data-search]')
    for (const kind of ['standup', 'tips', 'improve', 'cost', 'charts'])
      await visit(page, `#/chronicle/${kind}`, '.page')
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
    assert.deepEqual(troubles, [])
    assert.equal(await page.evaluate(() => (window as unknown as { __ran: number }).__ran), 0)
    assert.deepEqual(await foreign(page), [])
  },
)

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

async function visit(page: Page, hash: string, selector: string): Promise<void> {
  await page.evaluate((to) => void (location.hash = to), hash)
  await page.locator(selector).first().waitFor()
}

/** From the end to the beginning, everything that opens opened. */
async function lookAtAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const box = document.querySelector('.transcript')
    if (box === null) return
    const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    box.scrollTop = 0
    for (let steps = 0; steps < 400; steps++) {
      for (const details of box.querySelectorAll('details')) details.open = true
      await drawn()
      const before = box.scrollTop
      box.scrollTop = before + box.clientHeight
      await drawn()
      if (box.scrollTop === before) return
    }
  })
}

/** Elements that only markup in a text could have made, and addresses that lead to code. */
const foreign = (page: Page, inside = '#page') =>
  page.evaluate((root) => {
    const made =
      'iframe, object, embed, img:not(.brand > img), video, audio, style, base, marquee, script, xss'
    const box = document.querySelector(root)!
    const bad = [...box.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
      ({ protocol }) => !['http:', 'https:', 'mailto:'].includes(protocol),
    )
    return [...box.querySelectorAll(made), ...bad].map((element) => element.outerHTML)
  }, inside)

function watch(page: Page, origin: string): string[] {
  const troubles: string[] = []
  page.on('dialog', (dialog) => {
    troubles.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) troubles.push(`request ${request.url()}`)
  })
  page.on('pageerror', (error) => troubles.push(`error ${error.message}`))
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) troubles.push(message.text())
  })
  return troubles
}

/** Logs as a stranger could have written them, each payload once in each field that is shown. */
async function writeSessions({ home }: TestBrowser): Promise<SessionId[]> {
  const size = 60
  const parts = Array.from({ length: Math.ceil(payloads.length / size) }, (_, index) =>
    payloads.slice(index * size, (index + 1) * size),
  )
  return Promise.all(
    parts.map(async (part, index) => {
      const id = idOf(index)
      const folder = join(home.path, 'session-state', id)
      await mkdir(join(folder, 'files'), { recursive: true })
      const lines = [start(id, part[0] ?? ''), ...part.flatMap(eventsWith)].map(
        ([type, data], place) =>
          JSON.stringify({
            type,
            data,
            id: `${id}-${place}`,
            timestamp: '2026-03-02T09:30:00.000Z',
            parentId: place === 0 ? null : `${id}-${place - 1}`,
          }),
      )
      await writeFile(join(folder, 'events.jsonl'), `${lines.join('\n')}\n`)
      await writeFile(
        join(folder, 'workspace.yaml'),
        [
          `id: ${id}`,
          `cwd: ${JSON.stringify(`/tmp/${part[0]}`)}`,
          `name: ${JSON.stringify(part[1])}`,
          `repository: ${JSON.stringify(part[2])}`,
          `branch: ${JSON.stringify(part[3])}`,
          'created_at: 2026-03-02T09:30:00.000Z',
          'updated_at: 2026-03-02T09:30:00.000Z',
          '',
        ].join('\n'),
      )
      await writeFile(join(folder, 'plan.md'), part.join('\n\n'))
      await mkdir(join(folder, '.reprise'))
      if (index > 0) await writeFile(join(folder, '.reprise/forked-from'), idOf(index - 1))
      await writeFile(join(folder, 'files', '<img src=x onerror=alert(1)>.md'), 'x')
      return id
    }),
  )
}

const idOf = (index: number) => asSessionId(`0000000${index}-1111-4111-8111-111111111111`)

type Line = readonly [type: string, data: object]

const start = (sessionId: string, text: string): Line => [
  'session.start',
  {
    sessionId,
    version: 1,
    producer: text,
    copilotVersion: text,
    startTime: '2026-03-02T09:30:00.000Z',
    context: { cwd: `/tmp/${text}`, repository: text, branch: text },
  },
]

const eventsWith = (text: string, index: number): Line[] => [
  [
    'user.message',
    { content: text, attachments: [{ type: 'file', path: text, displayName: text }] },
  ],
  ['assistant.reasoning', { reasoningId: text, content: text }],
  [
    'assistant.message',
    {
      messageId: text,
      content: text,
      model: text,
      toolRequests: [
        { toolCallId: `${index} ${text}`, name: text, arguments: { path: text, [text]: text } },
      ],
    },
  ],
  [
    'tool.execution_start',
    { toolCallId: `${index} ${text}`, toolName: text, arguments: { old_str: text, new_str: text } },
  ],
  [
    'tool.execution_complete',
    {
      toolCallId: `${index} ${text}`,
      success: index % 2 === 0,
      result: { content: text },
      error: { message: text },
    },
  ],
  ['session.error', { errorType: text, message: text }],
  ['session.warning', { warningType: text, message: text }],
  ['session.info', { infoType: text, message: text }],
  ['session.model_change', { newModel: text, reasoningEffort: text }],
  ['session.mode_changed', { previousMode: text, newMode: text }],
  [
    'session.handoff',
    { handoffTime: text, sourceType: text, summary: text, context: text, remoteSessionId: text },
  ],
  ['session.compaction_complete', { success: true, summaryContent: text, checkpointNumber: 1 }],
  ['session.workspace_file_changed', { path: text, operation: text }],
  ['skill.invoked', { name: text, path: text, content: text }],
  [
    'subagent.started',
    { toolCallId: text, agentName: text, agentDisplayName: text, agentDescription: text },
  ],
  ['hook.start', { hookInvocationId: `${index}`, hookType: text, input: text }],
  [
    'hook.end',
    { hookInvocationId: `${index}`, hookType: text, success: false, error: { message: text } },
  ],
  ['permission.requested', { requestId: text, permissionRequest: shell(text) }],
  ['permission.completed', { requestId: text, result: { kind: text } }],
  ['abort', { reason: text }],
  [text, { text }],
]
