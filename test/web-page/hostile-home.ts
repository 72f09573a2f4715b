/** A home whose logs hold hostile texts in every field, and what is looked for in a browser that shows them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { asSessionId, type SessionId } from '../../src/format/ids.ts'
import { openBrowser, shell, type TestBrowser } from './browser.ts'
import { payloads } from './payloads.ts'

export type Hostile = AsyncDisposable & {
  readonly place: TestBrowser
  readonly ids: readonly SessionId[]
  readonly page: Page
  /** Nothing ran, nothing was asked for elsewhere, nothing became an element. */
  troubles(): Promise<readonly string[]>
}

export async function openHostile(script: Parameters<typeof openBrowser>[0]): Promise<Hostile> {
  const place = await openBrowser(script)
  const ids = await writeSessions(place)
  // High, so that each step down a long list shows much.
  const page = await place.open('#/', { viewport: { width: 1400, height: 4000 } })
  const seen = watch(page, place.server.url)
  await page.evaluate(() => {
    Object.assign(window, { __ran: 0, alert: () => Object.assign(window, { __ran: 1 }) })
  })
  return {
    place,
    ids,
    page,
    async troubles() {
      const ran = await page.evaluate(() => (window as unknown as { __ran: number }).__ran)
      return [...seen, ...(ran === 0 ? [] : ['a script ran']), ...(await foreign(page))]
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
}

export async function visit(page: Page, hash: string, selector: string): Promise<void> {
  await page.evaluate((to) => void (location.hash = to), hash)
  await page.locator(selector).first().waitFor()
}

/** Elements that only markup in a text could have made, and addresses that lead to code. */
export const foreign = (page: Page, inside = '#page') =>
  page.evaluate((root) => {
    const made =
      'iframe, object, embed, img:not(.brand > img), video, audio, style, base, marquee, script, xss'
    const box = document.querySelector(root)!
    const bad = [...box.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
      ({ protocol }) => !['http:', 'https:', 'mailto:'].includes(protocol),
    )
    return [...box.querySelectorAll(made), ...bad].map((element) => element.outerHTML)
  }, inside)

export function watch(page: Page, origin: string): string[] {
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
export async function writeSessions({ home }: TestBrowser): Promise<SessionId[]> {
  const parts = Array.from({ length: Math.ceil(payloads.length / SIZE) }, (_, index) =>
    payloads.slice(index * SIZE, (index + 1) * SIZE),
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
            timestamp: new Date().toISOString(),
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
          `created_at: ${new Date().toISOString()}`,
          `updated_at: ${new Date().toISOString()}`,
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

export const SIZE = 63

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

export const eventsWith = (text: string, index: number): Line[] => [
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
  ['session.usage_record', { usage: { model: text, inputTokens: index + 1, outputTokens: 1 } }],
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
