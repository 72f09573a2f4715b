/**
 * Pictures of every view, light, dark and on a phone: `node test/web-page/pictures.ts [folder] [part of a name …]`.
 * They are looked at before and after a change of the page; those of docs/images are made by it.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, endTool, say, startTool, type Script } from '../support/engine.ts'
import { openBrowser, shell, type TestBrowser } from './browser.ts'

const [folder = 'docs/images', ...only] = process.argv.slice(2)

const sizes = {
  light: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true },
  wide: { viewport: { width: 2560, height: 1300 }, colorScheme: 'light' },
  laptop: { viewport: { width: 1280, height: 720 }, colorScheme: 'dark' },
  tablet: { viewport: { width: 768, height: 1024 }, colorScheme: 'light' },
  night: { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true },
} as const
/** The documents have these; the others are made when they are named. */
const usual: readonly string[] = ['light', 'dark', 'phone']
const isSizeNamed = only.some((part) => Object.hasOwn(sizes, part))

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAHgAAAA8CAIAAAAiz+n/AAAAS0lEQVR4nO3OQQ0AIBDAsAP/ng8VBCJpFezezsyc+XZ7wCuNRqPRaDQajUaj0Wg0Go1Go9FoNBqNRqPRaDQajUaj0Wg0Go1Go9FoNNY9NqkB5UyXkE0AAAAASUVORK5CYII='

/** Works as an agent does that fixes a parser, or waits, or fails, by what it is told. */
function agent(project: string): Script {
  return async function* (turn) {
    const text = turn.message.content
    const usage = {
      model: MODELS[text.length % 3] ?? '',
      inputTokens: 9000,
      outputTokens: 40 * text.length,
    }
    const dollars = text.length / 100
    yield { draft: { type: 'session.usage_record', data: { usage, reprise: { dollars } } } }
    const file = join(project, 'src/parse.ts')
    if (text.startsWith('Fix')) {
      yield {
        draft: {
          type: 'assistant.reasoning',
          data: {
            reasoningId: 'r',
            content: 'The loop stops one short. First look at the tests, then at `parse`.',
          },
        },
      }
      yield say('I will look at the tests first, then at `src/parse.ts`.')
      yield startTool('t1', 'bash', { command: 'npm test -- parse' })
      yield {
        draft: {
          type: 'tool.execution_complete',
          data: {
            toolCallId: 't1',
            success: true,
            result: { content: '✔ 14 tests\n✖ 1 failed: reads the last field' },
            shellExecution: { exitCode: 1 } as never,
          },
        },
      }
      yield startTool('t2', 'edit', {
        path: 'src/parse.ts',
        old_str: 'for (let i = 0; i < fields.length - 1; i++) {\n    out.push(read(fields[i]))',
        new_str: 'for (const field of fields) {\n    out.push(read(field))',
      })
      await writeFile(
        file,
        SOURCE.replace(
          'for (let i = 0; i < fields.length - 1; i++) {\n    out.push(read(fields[i]))',
          'for (const field of fields) {\n    out.push(read(field))',
        ),
      )
      await writeFile(
        join(project, 'src/parse.test.ts'),
        "import { parse } from './parse.ts'\n\ntest('reads the last field', () => {\n  equal(parse('a,b').length, 2)\n})\n",
      )
      yield endTool('t2', 'written')
      yield say(ANSWER)
    } else if (text.startsWith('Show')) {
      yield startTool('t3', 'view', { path: 'chart.png' })
      yield {
        draft: {
          type: 'tool.execution_complete',
          data: {
            toolCallId: 't3',
            success: true,
            result: {
              content: 'A picture',
              binaryResultsForLlm: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
            },
          },
        },
      }
      yield say('Here it is.')
    } else if (text.startsWith('Clean')) {
      await turn.permit(shell('rm -rf node_modules dist'))
    } else if (text.startsWith('Break')) {
      yield {
        draft: {
          type: 'session.error',
          data: { errorType: 'model', message: 'The model answers 401: the key is not valid.' },
        },
      }
    } else yield say(text.startsWith('Explain') ? FORMULAS : `Done: ${text}`)
  }
}

const MODELS = ['claude-sonnet', 'gpt-large', 'qwen-coder']

const SOURCE = `/** Fields of a line, read. */
export function parse(line: string): string[] {
  const fields = line.split(',')
  const out: string[] = []
  for (let i = 0; i < fields.length - 1; i++) {
    out.push(read(fields[i]))
  }
  return out
}

const read = (field: string | undefined): string => (field ?? '').trim()
`

const ANSWER = `The loop stopped one field too early. It now goes over **all** of them.

| case | before | after |
|---|:--:|--:|
| \`a,b\` | 1 field | 2 fields |
| \`a\` | 0 fields | 1 field |

\`\`\`ts
for (const field of fields) {
  out.push(read(field)) // every one
}
\`\`\`

- [x] the failing test passes
- [ ] the changelog names it`

const FORMULAS = String.raw`The mean $\bar{x}$ of a sample has the error $\sigma / \sqrt{n}$, with

$$
\bar{x} = \frac{1}{n} \sum_{i=1}^{n} x_i, \qquad
\sigma^2 = \frac{1}{n-1} \sum_{i=1}^{n} \left( x_i - \bar{x} \right)^2
$$

as a matrix, for weights $w \in \mathbb{R}^2$:

$$
\begin{pmatrix} a & b \\ c & d \end{pmatrix} w = \begin{cases} 1 & n > 1 \\ 0 & \text{else} \end{cases}
$$`

type Made = { readonly [name in 'main' | 'fork' | 'waits' | 'picture' | 'formula']: SessionId }

async function fill({ engine, project }: TestBrowser): Promise<Made> {
  await mkdir(join(project, 'src'), { recursive: true })
  await writeFile(join(project, 'src/parse.ts'), SOURCE)
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: project })
  const begin = async (name: string) => (await engine.create({ cwd: project, name })).id
  const main = await begin('Fix the parser of fields')
  await converse(engine, main, { prompt: 'Write down what `parse` does today.' })
  await converse(engine, main, { prompt: 'Fix the parser: the last field is lost. Keep the API.' })
  await (await engine.open(main)).writePlan('# Plan\n\n1. Reproduce\n2. Fix\n3. Tell\n')
  const { sessionId: fork } = await (await engine.open(main)).fork({ name: 'Another way to parse' })
  await converse(engine, fork, { prompt: 'Try it without a loop.' })
  const picture = await begin('Look at the chart')
  const blob = { type: 'blob', mimeType: 'image/png', displayName: 'chart.png', data: PNG } as const
  await converse(engine, picture, { prompt: 'Show me this.', attachments: [blob] })
  const broken = await begin('Update the dependencies')
  await converse(engine, broken, { prompt: 'Break' })
  const waits = await begin('Start from a clean folder')
  const session = await engine.open(waits)
  await session.send({ prompt: 'Clean everything and install again.' })
  while ((await session.pending()).requests.length === 0)
    await new Promise((go) => setImmediate(go))
  const formula = await begin('The mean of the sample')
  await converse(engine, formula, { prompt: 'Explain the estimate.' })
  return { main, fork, waits, picture, formula }
}

type View = {
  readonly name: string
  readonly hash: (made: Made) => string
  readonly wait: string
  readonly act?: (page: Page) => Promise<unknown>
}

const views: readonly View[] = [
  { name: 'home', hash: () => '#/', wait: '.item' },
  { name: 'sessions', hash: () => '#/sessions', wait: '.session-link' },
  { name: 'inbox', hash: () => '#/inbox', wait: 'div.ask' },
  { name: 'session', hash: ({ main }) => `#/s/${main}`, wait: '.code .t-keyword' },
  { name: 'permission', hash: ({ waits }) => `#/s/${waits}`, wait: 'div.ask' },
  { name: 'picture', hash: ({ picture }) => `#/s/${picture}`, wait: '.picture img' },
  {
    name: 'find',
    hash: ({ main }) => `#/s/${main}`,
    wait: '.code .t-keyword',
    act: async (page) => {
      await page.locator('[data-find]').click()
      await page.fill('.find input', 'field')
      await page.locator('.find').getByText(/of/).waitFor()
    },
  },
  {
    name: 'forks',
    hash: ({ fork }) => `#/s/${fork}`,
    wait: '.entry',
    act: async (page) => {
      if ((await page.locator('.panel').count()) === 0)
        await page.getByRole('button', { name: 'Panel' }).click()
      await page.getByRole('tab', { name: 'Forks' }).click()
    },
  },
  {
    name: 'rewind',
    hash: ({ main }) => `#/s/${main}`,
    wait: '.code .t-keyword',
    act: async (page) => {
      await page.locator('.session-head .menu summary').click()
      await page.getByRole('button', { name: 'Undo…' }).click()
      await page.locator('dialog .files').waitFor()
    },
  },
  {
    name: 'review',
    hash: ({ main }) => `#/s/${main}/review?scope=session`,
    wait: '.review-lines',
    act: async (page) => {
      await page.locator('.review-lines .at button').first().click()
      await page.fill('.line-box textarea', 'Please name it better.')
    },
  },
  {
    name: 'new',
    hash: () => '#/',
    wait: '.item',
    act: async (page) => {
      await page.keyboard.press('n')
      await page.locator('dialog textarea').waitFor()
    },
  },
  {
    name: 'palette',
    hash: ({ main }) => `#/s/${main}`,
    wait: '.code .t-keyword',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.locator('dialog .palette li').nth(12).waitFor()
    },
  },
  { name: 'formula', hash: ({ formula }) => `#/s/${formula}`, wait: '.formula .katex-display' },
  { name: 'history', hash: () => '#/search?q=parser', wait: '.result' },
  { name: 'chronicle', hash: () => '#/chronicle/standup', wait: '.md' },
  { name: 'charts', hash: () => '#/chronicle/charts', wait: '.chart-box canvas' },
  { name: 'cost', hash: () => '#/chronicle/cost', wait: '.chart-box canvas' },
  { name: 'board', hash: () => '#/board', wait: 'h1' },
  { name: 'sql', hash: () => '#/sql', wait: '.schema summary' },
  { name: 'trash', hash: () => '#/trash', wait: 'h1' },
  {
    name: 'missing',
    hash: () => '#/s/00000000-0000-4000-8000-000000000000',
    wait: '.missing .button',
  },
]

let project = ''
await using place = await openBrowser((turn, signal) => agent(project)(turn, signal))
project = place.project
const made = await fill(place)
await mkdir(folder, { recursive: true })
for (const [size, options] of Object.entries(sizes)) {
  if (!(isSizeNamed ? only : usual).includes(size)) continue
  const page = await place.open('#/', options)
  for (const { name, hash, wait, act } of views) {
    const file = `web-${name}-${size}.png`
    if (only.length > 0 && !only.some((part) => file.includes(part))) continue
    // What is waited for must not be of the view before.
    await page.evaluate(() => void (location.hash = '#/board'))
    await page.waitForFunction(() => document.querySelector('main h1')?.textContent === 'Board')
    await page.evaluate((to) => void (location.hash = to), hash(made))
    try {
      await page.locator(wait).first().waitFor({ timeout: 8000 })
      await act?.(page)
    } catch (error) {
      process.stdout.write(`${file}: ${String(error).split('\n')[0]}\n`)
    }
    await page.screenshot({ path: join(folder, file) })
    await page.keyboard.press('Escape')
    if (act === undefined) continue
    await page.reload()
    await page.locator('.app').waitFor()
  }
  await page.context().close()
}
await (await place.engine.open(made.waits)).cancel()
process.stdout.write(`${dirname(join(folder, 'x'))} is filled.\n`)
