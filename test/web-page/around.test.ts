/** The page in a real browser: everything around the conversation that a person can do there. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, promptsOf } from '../support/engine.ts'
import { PROGRAM } from '../support/program.ts'
import { choose, inBrowser, noBrowser, openBrowser, type TestBrowser } from './browser.ts'

let place: TestBrowser
before(async () => {
  if (noBrowser === false) place = await openBrowser()
})
after(() => place?.[Symbol.asyncDispose]())

const options = inBrowser
const wide = { viewport: { width: 1400, height: 900 } }

async function session(name: string, ...prompts: string[]): Promise<SessionId> {
  const { id } = await place.engine.create({ cwd: place.project, name })
  for (const prompt of prompts) await converse(place.engine, id, { prompt })
  return id
}

const openSession = (id: string) => place.open(`#/s/${id}`, wide)
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const idle = (page: Page) => page.locator('.session-head').getByText('Idle').waitFor()

test('what is asked below the transcript covers nothing of its end', options, async () => {
  const id = await session('asked', ...Array.from({ length: 12 }, (_, at) => `message ${at}`))
  const page = await openSession(id)
  await page.locator('.transcript').getByText('echo: message 11').waitFor()
  await page.fill('[data-composer]', 'permit make all')
  await page.keyboard.press('Enter')
  await page.locator('.ask').getByText('make all').waitFor()
  await page.waitForFunction(() => {
    const box = document.querySelector('.transcript')!
    return box.scrollHeight - box.scrollTop - box.clientHeight < 2
  })
  await page.locator('.to-end').waitFor({ state: 'detached' })
  await page.context().close()
})

test(
  'a transcript of few lines is there as a whole, for the search of the browser',
  options,
  async () => {
    const { id } = await place.engine.create({ cwd: place.project })
    const prompts = Array.from({ length: 30 }, (_, at) => `line ${at}`)
    for (const prompt of prompts) await converse(place.engine, id, { prompt })
    const page = await place.open(`#/s/${id}`, { viewport: { width: 390, height: 600 } })
    await page.locator('.transcript').getByText('echo: line 29').waitFor()
    assert.deepEqual(await page.locator('.e-user .md').allTextContents(), prompts)
    await page.context().close()
  },
)

test('a deleted session is in the trash, and comes back from it', options, async () => {
  const id = await session('thrown away', 'one')
  const page = await openSession(id)
  await page.locator('.session-head').getByText('thrown away').waitFor()
  await choose(page, 'Delete…')
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForFunction(() => location.hash === '#/')
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  const card = page.locator('.card').filter({ hasText: 'thrown away' })
  await card.getByRole('button', { name: 'Restore' }).click()
  await page.waitForFunction((wanted) => location.hash.includes(wanted), id)
  await page.locator('.transcript').getByText('echo: one').waitFor()
  await page.context().close()
})

test(
  'a session that is deleted elsewhere is read on, and nothing can be done in it',
  options,
  async () => {
    const id = await session('deleted elsewhere', 'one')
    const page = await openSession(id)
    await page.locator('.transcript').getByText('echo: one').waitFor()
    await page.fill('[data-composer]', 'half a thought')
    await place.engine.remove([id])
    await page.getByRole('status').getByText('This session was deleted.').waitFor()
    await page.locator('[data-composer]').waitFor({ state: 'detached' })
    await page.locator('.transcript').getByText('echo: one').waitFor()
    await page.getByRole('link', { name: 'Open the trash' }).click()
    const card = page.locator('.card').filter({ hasText: 'deleted elsewhere' })
    await card.getByRole('button', { name: 'Restore' }).click()
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLTextAreaElement>('[data-composer]')?.value === 'half a thought',
    )
    await page.context().close()
  },
)

test("a file is uploaded into the session's files", options, async () => {
  const id = await session('with files', 'one')
  const page = await openSession(id)
  await tab(page, 'Files').click()
  await page.getByText('No files yet.').waitFor()
  const buffer = Buffer.from([0, 1, 2, 253, 254, 255])
  await page
    .locator('.upload input')
    .setInputFiles([{ name: 'a picture.png', mimeType: 'image/png', buffer }])
  await page.locator('.files').getByText('files/a picture.png').waitFor()
  const stored = await (await place.engine.open(id)).readFile('files/a picture.png')
  assert.deepEqual(Buffer.from(stored), buffer)
  const large = { name: 'large', mimeType: 'text/plain', buffer: Buffer.alloc(11 * 1024 * 1024) }
  await page.locator('.upload input').setInputFiles([large])
  await page.locator('.toast').getByText('10 MB are taken').waitFor()
  await page.context().close()
})

test('the model and the mode are chosen, and the log has them', options, async () => {
  const id = await session('chosen', 'one')
  const page = await openSession(id)
  await page.locator('.facts button').click()
  await page.getByRole('combobox', { name: 'Model', exact: true }).fill('claude-sonnet-4')
  await page.getByLabel('Reasoning effort').selectOption('high')
  await button(page, 'Use it').click()
  await page.locator('.facts').getByText('claude-sonnet-4 · high').waitFor()
  await page.locator('.meter').getByText('tokens in context').waitFor()
  await page.getByLabel('Mode').selectOption('plan')
  await page
    .locator('.quiet-lines')
    .getByText(/Model · Mode/)
    .waitFor()
  const { model, reasoningEffort, mode } = await (await place.engine.open(id)).state()
  assert.deepEqual([model, reasoningEffort, mode], ['claude-sonnet-4', 'high', 'plan'])
  await page.context().close()
})

test('what waits is changed, moved and taken out before it is sent', options, async () => {
  const id = await session('queued', 'one')
  const page = await openSession(id)
  await idle(page)
  const write = async (text: string) => {
    await page.fill('[data-composer]', text)
    await page.press('[data-composer]', 'Enter')
  }
  await write('hold')
  await page.locator('.session-head').getByText('Working').waitFor()
  for (const text of ['first', 'second', 'third']) {
    await write(text)
    await page.locator('.queue').getByText(text).waitFor()
  }
  const row = (text: string) => page.locator('.queue li').filter({ hasText: text })
  await row('first').getByRole('button', { name: 'Take out' }).click()
  await row('first').waitFor({ state: 'detached' })
  await row('third').getByRole('button', { name: 'Send earlier' }).click()
  await page.locator('.queue li').first().filter({ hasText: 'third' }).waitFor()
  await row('second').getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('Waiting message').fill('second, better')
  await page.getByLabel('Waiting message').press('Enter')
  await row('second, better').waitFor()
  place.release()
  await page.locator('.transcript').getByText('echo: second, better').waitFor()
  await idle(page)
  assert.deepEqual(await promptsOf(place.engine, id), ['one', 'hold', 'third', 'second, better'])
  await page.context().close()
})

test('what a stop leaves waiting goes on when it is told to', options, async () => {
  const id = await session('stopped', 'one')
  const page = await openSession(id)
  await idle(page)
  const write = async (text: string) => {
    await page.fill('[data-composer]', text)
    await page.press('[data-composer]', 'Enter')
  }
  await write('hold')
  await page.locator('.session-head').getByText('Working').waitFor()
  await write('after it')
  await page.locator('.queue').getByText('after it').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Go on', exact: true }).count(), 0)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('button', { name: 'Go on', exact: true }).click()
  await page.locator('.transcript').getByText('echo: after it').waitFor()
  await idle(page)
  assert.deepEqual(await promptsOf(place.engine, id), ['one', 'hold', 'after it'])
  await page.context().close()
})

test('a long output is fetched when it is asked for', options, async () => {
  const id = await session('long', 'print 30000')
  const page = await openSession(id)
  await page.locator('.tool summary').click()
  await page.locator('.output').getByText('line 29999').waitFor()
  assert.doesNotMatch((await page.locator('.output').textContent()) ?? '', /line 15000\n/)
  await page.getByRole('button', { name: /^Show all/ }).click()
  await page.waitForFunction(() =>
    document.querySelector('.output')?.textContent?.includes('\nline 15000\n'),
  )
  const [download] = await Promise.all([page.waitForEvent('download'), reopened(page)])
  assert.match(await readFile(await download.path(), 'utf8'), /\nline 15000\n/)
  await page.context().close()
})

/** What was fetched needs no link any more; a fresh look has it. */
async function reopened(page: Page): Promise<void> {
  await page.reload()
  await page.locator('.tool summary').click()
  await page.getByText('Download', { exact: true }).click()
}

test('the tree of forks is drawn, and leads from one to the other', options, async () => {
  const id = await session('root', 'one')
  const { sessionId: branch } = await (await place.engine.open(id)).fork({ name: 'branch' })
  const { sessionId: leaf } = await (await place.engine.open(branch)).fork({ name: 'leaf' })
  const page = await openSession(leaf)
  await tab(page, 'Forks').click()
  const inside = (depth: number, name: string) =>
    page.locator(`.tree > li ${'> ul > li '.repeat(depth)}> .fork`).getByText(name)
  await inside(0, 'root').waitFor()
  await inside(1, 'branch').waitFor()
  await inside(2, 'leaf').waitFor()
  await page.locator('.quiet-lines > summary').last().click()
  await page.locator('.quiet-lines').getByText('Open it').last().waitFor()
  await inside(0, 'root').click()
  await page.waitForFunction((wanted) => location.hash.includes(wanted), id)
  await page.context().close()
})

test(
  'what the model was given in a turn is shown, an item is left out and brought back',
  options,
  async () => {
    const id = await session('with a context', 'the first thing', 'the second thing')
    const page = await openSession(id)
    await tab(page, 'Context').click()
    const item = (text: string) => page.locator('.context-items li').filter({ hasText: text })
    await item('the second thing').first().waitFor()
    await item('the first thing').first().locator('summary').click()
    await item('the first thing').first().locator('pre').getByText('the first thing').waitFor()
    const act = (name: string) =>
      page.getByRole('button', { name: `${name}: the first thing`, exact: true })
    await act('Leave out').click()
    await act('Bring back').waitFor()
    const asked = async () => {
      const { items } = await (await place.engine.open(id)).contextAt()
      return items.find(({ what }) => what === 'the first thing')?.status
    }
    assert.equal(await asked(), 'omitted')
    await act('Bring back').click()
    await act('Leave out').waitFor()
    assert.equal(await asked(), 'given')
    await page.getByLabel('What the model').selectOption('1')
    await item('the second thing').first().waitFor({ state: 'detached' })
    await item('the first thing').first().waitFor()
    assert.equal(await act('Leave out').count(), 0)
    await page.context().close()
  },
)

/** Killed in the middle of its turn. */
async function crashed(prompt: string): Promise<string> {
  const id = crypto.randomUUID()
  const child = spawn(PROGRAM, ['--resume', id, '--allow-all', '--json', '-p', prompt], {
    cwd: place.project,
    detached: true,
    env: { ...process.env, REPRISE_HOME: place.home.path, REPRISE_AGENT: 'offline' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('tool.execution_start')) break
  const gone = once(child, 'exit')
  process.kill(-Number(child.pid), 'SIGKILL')
  await gone
  return id
}

test('what was open in a crash is offered at home, once', options, async () => {
  const id = await crashed('run sleep 601')
  const page = await place.open('#/', wide)
  const part = page.locator('.section').filter({ hasText: 'Open when Reprise ended' })
  await part.getByText('its turn was cut short').waitFor()
  await button(page, 'Restore all').click()
  await part.waitFor({ state: 'detached' })
  assert.ok(place.engine.isOpen(id as SessionId))
  await page.reload()
  await page.getByText('Projects').waitFor()
  assert.equal(await part.count(), 0)
  await page.context().close()
})

test('a note is put on the board and taken off', options, async () => {
  const page = await place.open('#/board')
  await page.getByText('There is nothing on the board yet').waitFor()
  await button(page, 'Add a note').click()
  await page.getByLabel('Repository').fill('o/r')
  await page.getByLabel('Name').fill('how tests are run')
  await page.getByRole('textbox', { name: 'Note' }).fill('with `npm test`')
  await button(page, 'Add').click()
  const card = page.locator('.card').filter({ hasText: 'how tests are run' })
  await card.locator('code').getByText('npm test').waitFor()
  await card.getByRole('button', { name: 'Remove how tests are run' }).click()
  await card.waitFor({ state: 'detached' })
  await page.context().close()
})

test('what another process does shows in the list by itself', options, async () => {
  await session('of this process', 'one')
  const page = await place.open('#/')
  await page.locator('.session-link').first().waitFor()
  const other = place.home.engine()
  const { id } = await other.create({ cwd: place.project, name: 'from elsewhere' })
  await converse(other, id, { prompt: 'hello' })
  await page.locator('.session-link').getByText('from elsewhere').waitFor()
  const [removal] = await other.remove([id])
  assert.deepEqual(removal?.outcome, 'trashed')
  await page.locator('.session-link').getByText('from elsewhere').waitFor({ state: 'detached' })
  await page.context().close()
})

test('an exported page looks like the page, offline, and asks for nothing', options, async () => {
  const id = await session('to export', 'say **this**', 'print 3')
  const page = await openSession(id)
  await page.locator('.e-user strong').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    choose(page, 'Export as web page'),
  ])
  const file = join(place.home.path, 'export.html')
  await writeFile(file, await readFile(await download.path()))
  const look = (of: Page) =>
    of.evaluate(() =>
      ['.e-user', '.e-user strong', '.tool', '.tool b', '.md'].map((selector) => {
        const { color, backgroundColor, fontSize, borderRadius, display } = getComputedStyle(
          document.querySelector(selector)!,
        )
        return [selector, color, backgroundColor, fontSize, borderRadius, display]
      }),
    )
  const looks = [await look(page)]
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await place.browser.newContext({
      ...wide,
      colorScheme,
      javaScriptEnabled: true,
      offline: true,
    })
    const shown = await context.newPage()
    const troubles: string[] = []
    shown.on('console', (message) => troubles.push(message.text()))
    shown.on('request', (request) => troubles.push(request.url()))
    const url = pathToFileURL(file).href
    await shown.goto(url)
    assert.equal(await shown.title(), 'to export')
    await shown.locator('.tool summary').click()
    await shown.locator('.output').getByText('line 2').waitFor()
    looks.push(await look(shown))
    assert.deepEqual(
      troubles.filter((each) => each !== url),
      [],
    )
    await context.close()
  }
  assert.deepEqual(looks[1], looks[0])
  assert.notDeepEqual(looks[2], looks[0])
  await page.context().close()
})
