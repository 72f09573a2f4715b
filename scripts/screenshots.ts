/** Makes the pictures of docs/images: each view of the page, light, dark and on a phone, with sessions made up for it. */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentItem } from '../src/engine/agent.ts'
import type { Script } from '../test/support/engine.ts'
import { readPageStyle } from '../src/surfaces/web/page-folder.ts'
import { exportSession } from '../src/surfaces/web/export.ts'
import { converse, endTool, say, startTool } from '../test/support/engine.ts'
import { noBrowser, openBrowser, shell } from '../test/web-page/browser.ts'

const images = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'images')

if (noBrowser !== false) {
  console.error(`No pictures: ${noBrowser}`)
  process.exit(1)
}

const ANSWER = `The parser drops comments because \`skipTrivia\` throws them away **before** the tree is built.

1. \`skipTrivia\` advances over comments and returns nothing
2. the printer has no place to take them from

\`\`\`ts
function skipTrivia(source: string, at: number): number {
  // comments are skipped here
  while (isSpace(source[at]) || source.startsWith('//', at)) at++
  return at
}
\`\`\`

| file | change |
|---|---|
| src/parse.ts | keeps comments as trivia |
| src/print.ts | prints them back |

See [the grammar](https://example.com/grammar).`

const tool = (id: string, name: string, args: object): AgentItem => ({
  draft: {
    type: 'assistant.message',
    data: {
      messageId: crypto.randomUUID(),
      content: '',
      model: 'gpt-5',
      toolRequests: [{ toolCallId: id, name, arguments: args }],
    },
  },
})
const usage = (model: string, inputTokens: number): AgentItem => ({
  draft: {
    type: 'session.usage_record',
    data: { usage: { model, inputTokens, outputTokens: inputTokens / 20, cost: 1 } },
  } as AgentItem extends { draft: infer D } ? D : never,
})

const change = {
  path: 'src/parse.ts',
  old_str: 'while (isSpace(at)) at++\nreturn at',
  new_str: 'while (isSpace(at)) at++\nif (isComment(at)) trivia.push(readComment(at))\nreturn at',
}

const script: Script = async function* (turn) {
  const [id, edit] = [crypto.randomUUID(), crypto.randomUUID()]
  yield tool(id, 'bash', { command: 'npm test -- parse' })
  yield endTool(id, '✗ keeps comments\n  expected "// a" to be kept\n\n1 of 24 tests failed')
  yield tool(edit, 'edit', change)
  yield startTool(edit, 'edit', change)
  yield endTool(edit, 'The file was edited.')
  yield say(ANSWER)
  yield usage(turn.message.content.length % 2 === 0 ? 'gpt-5' : 'claude-sonnet-4', 24_000)
  yield {
    notice: {
      type: 'session.usage_info',
      data: { tokenLimit: 128_000, currentTokens: 41_000, messagesLength: 12 },
    },
  }
  if (turn.message.content.startsWith('Push')) await turn.permit(shell('git push origin main'))
}

let now = Date.now()
await using place = await openBrowser(script, { clock: () => new Date(now) })
const { engine, project } = place

const DAY_MS = 86_400_000
const { id: older } = await engine.create({ cwd: '/tmp', name: 'Move the store to SQLite' })
for (let day = 50; day > 0; day -= 1 + (day % 3)) {
  now = Date.now() - day * DAY_MS
  for (let turn = 0; turn <= (day * 7) % 4; turn++)
    await converse(engine, older, { prompt: `Step ${day}.${turn}${'.'.repeat(day % 5)}` })
}
now = Date.now()

const prompts = [
  ['Why does the parser drop comments?', 'Keep them, and add a test', 'Now the printer too'],
  ['Release 0.2'],
  ['Find the slow test'],
  ['Explain the lease protocol'],
]
const ids = []
for (const [index, own] of prompts.entries()) {
  const { id } = await engine.create({ cwd: index < 2 ? project : '/tmp' })
  for (const prompt of own) await converse(engine, id, { prompt })
  ids.push(id)
}
const first = ids[0] ?? ''
const { sessionId: branch } = await (
  await engine.open(ids[0]!)
).fork({ name: 'Keep comments as tokens' })
await (
  await engine.open(ids[0]!)
).fork({ name: 'Keep comments as trivia, with a name that is rather long' })
await (await engine.open(branch)).fork({ name: 'The same, but faster' })
const thrown = await engine.create({ cwd: project, name: 'A dead end' })
await thrown.save()
await engine.remove([thrown.id])
const note = { repository: 'octo/parser', src: 'user' }
await place.board.add({ ...note, name: 'Tests', content: 'Run them with `npm test -- parse`.' })
await place.board.propose(String(ids[0]), [
  {
    ...note,
    src: 'agent',
    name: 'Comments',
    content: 'Comments are **trivia** of the next token.',
  },
])
await (await engine.open(ids[0]!)).writePlan('# Plan\n\n- [x] reproduce\n- [ ] keep comments\n')
const author = await place.open(`#/s/${ids[1]}`)
await author.fill('[data-composer]', 'Push the release')
await author.press('[data-composer]', 'Enter')
await author.locator('.ask').waitFor()

const views = [
  ['sessions', '#/', '.session-link'],
  ['session', `#/s/${first}`, '.e-assistant table'],
  ['permission', `#/s/${ids[1]}`, '.ask'],
  ['history', '#/search?q=comments', '.results mark'],
  ['chronicle', '#/chronicle/standup', '.page .md'],
  ['charts', '#/chronicle/charts', '.chart:nth-of-type(4) :is(p, table)'],
  ['sql', '#/sql', '.schema code'],
  ['board', '#/board', '.card'],
  ['trash', '#/trash', '.card'],
  ['forks', `#/s/${first}`, '.e-assistant table'],
] as const
const looks = [
  ['light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  ['dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 780 }, colorScheme: 'light' }],
] as const

await mkdir(images, { recursive: true })
for (const [look, options] of looks) {
  for (const [name, hash, selector] of views) {
    const page = await place.open(hash, options)
    await page.locator(selector).first().waitFor()
    if (name === 'session') await page.locator('.meter').getByText('in context').waitFor()
    if (name === 'permission') await page.locator('.e-assistant').last().waitFor()
    if (name === 'charts') await page.locator('.bars').nth(1).waitFor()
    if (name === 'sql') await page.getByRole('button', { name: 'Run' }).click()
    if (name === 'forks') {
      if (look !== 'light' && look !== 'dark') await page.getByText('Panel').click()
      await page.getByRole('tab', { name: 'Forks' }).click()
      await page.locator('.tree .fork').nth(3).waitFor()
    }
    await page.waitForLoadState('domcontentloaded')
    await page.screenshot({ path: join(images, `web-${name}-${look}.png`) })
    await page.context().close()
  }
}
const { text } = await exportSession(
  engine,
  { redact: async (value) => value, readStyle: readPageStyle },
  ids[0]!,
  'html',
)
for (const [look, options] of looks) {
  const context = await place.browser.newContext({ ...options, offline: true })
  const page = await context.newPage()
  await page.setContent(text)
  await page.screenshot({ path: join(images, `web-export-${look}.png`) })
  await context.close()
}
await author.getByRole('button', { name: 'Deny' }).click()
await author.locator('.ask').waitFor({ state: 'detached' })
