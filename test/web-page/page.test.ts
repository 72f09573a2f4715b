/** The page in a real browser: what a person does, and what they then see. */
import assert from 'node:assert/strict'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, promptsOf } from '../support/engine.ts'
import { choose, inBrowser, noBrowser, openBrowser, write, type TestBrowser } from './browser.ts'

let place: TestBrowser
before(async () => {
  if (noBrowser === false) place = await openBrowser()
})
after(() => place?.[Symbol.asyncDispose]())

const options = inBrowser

async function session(...prompts: string[]): Promise<SessionId> {
  const { id } = await place.engine.create({ cwd: place.project })
  for (const prompt of prompts) await converse(place.engine, id, { prompt })
  return id
}

const openSession = (id: string) => place.open(`#/s/${id}`)
const sees = (page: Page, text: string | RegExp, inside = '.transcript') =>
  page.locator(inside).getByText(text).first().waitFor()
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

test('a new session is begun, a message is sent and answered', options, async () => {
  const page = await place.open()
  await page.keyboard.press('n')
  await page.getByLabel('First message').fill('hello **there**')
  await page.keyboard.press('Enter')
  await sees(page, 'echo: hello')
  assert.equal(await page.locator('.e-user strong').textContent(), 'there')
  await page.locator('.session-list').getByText('hello').first().waitFor()
  await page.context().close()
})

test('an answer is seen while it is written, and a message waits its turn', options, async () => {
  const id = await session('first')
  const page = await openSession(id)
  await sees(page, 'echo: first')
  await write(page, 'stream one two three')
  await page.locator('.is-live').getByText('one two three').waitFor()
  await page.locator('.session-head').getByText('Working').waitFor()
  // Who comes in the middle of it sees it from its beginning.
  await page.reload()
  await page.locator('.is-live').getByText('one two three').waitFor()
  await write(page, 'after that')
  await page.locator('.queue').getByText('after that').waitFor()
  place.release()
  await sees(page, 'echo: after that')
  await page.locator('.session-head').getByText('Idle').waitFor()
  assert.equal(await page.locator('.is-live').count(), 0)
  assert.deepEqual(await promptsOf(place.engine, id), [
    'first',
    'stream one two three',
    'after that',
  ])
  await page.context().close()
})

test('a permission is answered in one tab and settled in the other', options, async () => {
  const id = await session('first')
  const [one, other] = [await openSession(id), await openSession(id)]
  await sees(other, 'echo: first')
  await write(one, 'permit rm -rf build')
  await one.locator('.ask').getByText('run rm -rf build').waitFor()
  await other.locator('.ask').getByText('run rm -rf build').waitFor()
  await button(other, 'Allow').click()
  await sees(one, 'decided: allow')
  await one.locator('.ask').waitFor({ state: 'detached' })
  await write(one, 'plan the garden')
  await other.locator('.ask').getByText('leave plan mode').waitFor()
  await other.locator('.ask .plan li strong', { hasText: 'the garden' }).waitFor()
  await button(other, 'No, keep planning').waitFor()
  await button(other, 'Yes, and never ask').click()
  await sees(one, 'decided: allow by freely')
  await one.locator('.ask').waitFor({ state: 'detached' })
  await write(one, 'ask which colour')
  await button(one, 'blue').click()
  await sees(other, 'answered: blue')
  await one.context().close()
  await other.context().close()
})

test('a rewind is previewed, takes files back, and is redone', options, async () => {
  const id = await session('write a.txt one', 'write a.txt two')
  const file = join(place.project, 'a.txt')
  const page = await openSession(id)
  await sees(page, 'write a.txt two')
  await choose(page, 'Undo…')
  await page.locator('dialog').getByText('1 turn leaves').waitFor()
  await page.locator('dialog').getByText('a.txt', { exact: true }).waitFor()
  await page
    .locator('dialog')
    .getByRole('button', { name: 'Rewind with files', exact: true })
    .click()
  await page.locator('.transcript').getByText('write a.txt two').waitFor({ state: 'detached' })
  await sees(page, 'write a.txt one')
  assert.equal(await readFile(file, 'utf8'), 'one')
  await choose(page, 'Redo')
  await page.locator('.toast').getByText('Redone').waitFor()
  await sees(page, 'write a.txt two')
  // The conversation is back first, its files right after; the test's own time limit ends the wait.
  while ((await readFile(file, 'utf8')) !== 'two') await page.waitForTimeout(20)
  await page.context().close()
})

test('a fork before a message leaves it out and is opened', options, async () => {
  const id = await session('kept', 'left out')
  const page = await openSession(id)
  await sees(page, 'echo: left out')
  await page.locator('.e-user').nth(1).locator('.menu > summary').click()
  await page.locator('.e-user').nth(1).getByRole('button', { name: 'Fork' }).click()
  await page.waitForFunction((old) => !location.hash.includes(old), id)
  await sees(page, 'echo: kept')
  assert.equal(await page.locator('.transcript').getByText('left out').count(), 0)
  assert.deepEqual(await promptsOf(place.engine, id), ['kept', 'left out'])
  await page.context().close()
})

test('search finds what was said, marks it and leads to its turn', options, async () => {
  const id = await session('the quick zebra', 'print 3', 'something else')
  const page = await place.open('#/search')
  await page.fill('main [data-search]', 'zebra')
  const mark = page.locator('.results mark').first()
  await mark.waitFor()
  assert.equal(await mark.textContent(), 'zebra')
  await page.locator('.result').first().click()
  await page.waitForFunction((wanted) => location.hash.includes(wanted), id)
  await sees(page, 'the quick zebra')
  // What a tool was asked or said is opened.
  await page.evaluate(() => void (location.hash = '#/search?q=seq'))
  await page.locator('.result').first().click()
  await page.locator('.e-tool.is-shown [open] .output').getByText('line 2').waitFor()
  // What was answered is opened itself, not the message before it.
  await page.evaluate(() => void (location.hash = '#/search?q=echo+something&role=assistant'))
  await page.locator('.result').first().click()
  await page.locator('.e-assistant.is-shown').getByText('echo: something else').waitFor()
  await page.waitForFunction(() => {
    const [range] = CSS.highlights.get('found') ?? []
    return String(range) === 'echo: something else'
  })
  await page.context().close()
})

test('SQL is asked and answered, with the tables beside it', options, async () => {
  const page = await place.open('#/sql')
  await page.fill('textarea', "SELECT 'a' || 'b' AS joined")
  await page.keyboard.press('Control+Enter')
  await page.locator('.result-table td').getByText('ab').waitFor()
  await page.locator('.schema').getByText('session_files').waitFor()
  await page.context().close()
})

test(
  'a place that is gone to while the page is drawn for the first time is shown',
  options,
  async () => {
    const page = await place.open('#/sql')
    await page.addInitScript(() => {
      const drawn = new MutationObserver(() => {
        if (document.querySelector('.app') === null) return
        drawn.disconnect()
        location.hash = '#/trash'
      })
      drawn.observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Trash' }).waitFor()
    await page.context().close()
  },
)

test(
  'of a session that is not there yet nothing is said but that it is loaded',
  options,
  async () => {
    const id = await session('late')
    const page = await place.open()
    let answer = () => {}
    const isHeld = new Promise<void>((resolve) => (answer = resolve))
    await page.route(/sessions\/[^/]+(\/transcript.*)?$/, async (route) => {
      await isHeld
      await route.continue()
    })
    await page.evaluate((to) => void (location.hash = to), `#/s/${id}`)
    await page.locator('.session-title').getByText('Loading the session').waitFor()
    assert.equal((await page.locator('.facts').textContent())?.trim(), '')
    answer()
    await page.locator('.facts').getByText('Idle').waitFor()
    await page.context().close()
  },
)

test('what could not be shown says so, and is shown when it is tried again', options, async () => {
  const id = await session('asked again')
  const page = await place.open('#/sql')
  const views = [
    [`#/s/${id}`, /\/transcript/, '.e-user'],
    [`#/s/${id}/review?scope=session`, /\/changes\?/, '.empty'],
    ['#/chronicle/charts', /\/api\/activity/, '.chart'],
    ['#/trash', /\/api\/trash/, '.nothing, .card'],
  ] as const
  const again = page.locator('main').getByRole('button', { name: 'Try again' })
  for (const [hash, path, shown] of views) {
    await page.route(path, (route) => route.fulfill({ status: 502, body: 'no JSON' }))
    await page.evaluate((to) => void (location.hash = to), hash)
    await again.waitFor()
    await sees(page, 'The server answered 502', 'main')
    await page.unroute(path)
    await again.click()
    await page.locator(shown).first().waitFor()
    assert.equal(await again.count(), 0)
  }
  await page.context().close()
})

test('an answer that was overtaken on its way leaves no turn working', options, async () => {
  const id = await session('first')
  const page = await openSession(id)
  const head = page.locator('.session-head')
  await head.getByText('Idle').waitFor()
  const overtaken: (() => Promise<void>)[] = []
  const own = new RegExp(`/api/sessions/${id}$`)
  await page.route(own, async (route) => {
    const response = await route.fetch()
    const isWorking = ((await response.json()) as { status: string }).status === 'running'
    if (isWorking && overtaken.length === 0) overtaken.push(() => route.fulfill({ response }))
    else await route.fulfill({ response })
  })
  await write(page, 'hold')
  await head.getByText('Working').waitFor()
  while (overtaken.length === 0) await page.waitForTimeout(20)
  const newer = page.waitForResponse(own)
  place.release()
  await sees(page, 'released')
  await newer
  await head.getByText('Idle').waitFor()
  await overtaken[0]?.()
  // What is asked now is answered behind it.
  await page.evaluate(async () => void (await fetch('/api/server')))
  assert.equal(await head.getByText('Working').count(), 0)
  await head.getByText('Idle').waitFor()
  await page.context().close()
})

test('every report and the charts are shown', options, async () => {
  const page = await place.open('#/chronicle/standup')
  for (const kind of ['standup', 'tips', 'improve']) {
    await page.evaluate((to) => void (location.hash = to), `#/chronicle/${kind}`)
    await page.locator('.page .md').waitFor()
  }
  await page.evaluate(() => void (location.hash = '#/chronicle/cost'))
  await page.locator('.page').getByText('No model was used in this time').waitFor()
  await page.evaluate(() => void (location.hash = '#/chronicle/charts'))
  await page.locator('.heat').waitFor()
  assert.equal(await page.locator('.chart .bad').count(), 0)
  await page.context().close()
})

test('the page survives a restart of the server by itself', options, async () => {
  const id = await session('before')
  const page = await openSession(id)
  await sees(page, 'echo: before')
  await place.stopServer()
  await page.locator('.banner').getByText('connection is lost').waitFor()
  await converse(place.engine, id, { prompt: 'meanwhile' })
  // It asks in vain more than once.
  await page.locator('.banner').getByText('(3 tries)').waitFor()
  await place.startServer()
  await sees(page, 'echo: meanwhile')
  await page.locator('.banner').waitFor({ state: 'detached' })
  assert.equal(await page.locator('.transcript').getByText('echo: before').count(), 1)
  await page.context().close()
})

test('what is gone to without a server comes when it is back', options, async () => {
  const [here, there] = [await session('here'), await session('there')]
  const page = await openSession(here)
  await sees(page, 'echo: here')
  await place.stopServer()
  await page.locator('.banner.is-lost').waitFor()
  await page.evaluate(() => void (location.hash = '#/trash'))
  await page.getByText('comes when the server can be reached again').waitFor()
  await page.evaluate((id) => void (location.hash = `#/s/${id}`), there)
  await page.locator('.banner').getByText('cannot be reached').waitFor()
  await place.startServer()
  await sees(page, 'echo: there')
  await page.locator('.banner').waitFor({ state: 'detached' })
  await page.context().close()
})

test(
  'commands are offered while they are typed, done in the session, and no model sees them',
  options,
  async () => {
    const id = await session('first', 'second')
    const page = await openSession(id)
    await sees(page, 'echo: second')
    await page.keyboard.press('i')
    await page.keyboard.type('/')
    const offered = page.locator('.palette [role=option]')
    await offered.first().waitFor()
    const all = await offered.count()
    assert.ok(all > 20, `${all} commands`)
    await page.keyboard.type('se')
    await page.locator('.palette').getByText('/session').first().waitFor()
    const chosen = page.locator('.palette [aria-selected=true] code')
    assert.match((await chosen.textContent()) ?? '', /^\/se/)
    await page.keyboard.type('ssion ')
    await page.locator('.palette').getByText('info', { exact: true }).waitFor()
    await page.keyboard.type('inf')
    await page.keyboard.press('Tab')
    assert.equal(await page.inputValue('[data-composer]'), '/session info')
    await page.locator('.palette').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.locator('.said').getByText(id).first().waitFor()

    await write(page, '/undo')
    await page.locator('.said').getByText('Took back 1 turn').waitFor()
    assert.deepEqual(await promptsOf(place.engine, id), ['first'])

    await write(page, '/undp')
    await page.locator('.toast').getByText('Did you mean /undo?').waitFor()
    assert.equal(await page.inputValue('[data-composer]'), '/undp', 'what was refused is not lost')
    await page.keyboard.press('Escape')
    await write(page, '//undo is a word')
    await sees(page, 'echo: /undo is a word')
    await write(page, '/etc/hosts is a file')
    await sees(page, 'echo: /etc/hosts is a file')
    assert.deepEqual(await promptsOf(place.engine, id), [
      'first',
      '/undo is a word',
      '/etc/hosts is a file',
    ])
    await page.context().close()
  },
)

test('the keyboard leads everywhere', options, async () => {
  const id = await session('by keys')
  const page = await place.open()
  await page.locator('.session-link').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('by keys')
  await page.locator('.session-link').getByText('by keys').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.locator('.session-link.is-chosen').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForFunction((wanted) => location.hash.includes(wanted), id)
  await page.keyboard.press('?')
  await page.locator('dialog kbd').first().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  for (const [key, text] of [
    ['h', 'History'],
    ['c', 'Chronicle'],
    ['q', 'SQL'],
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await page.getByRole('heading', { name: text, exact: true }).waitFor()
    await page.keyboard.press('Escape')
  }
  await page.context().close()
})

test(
  'a long session opens at its end, and holds few elements while it is read',
  options,
  async () => {
    const id = await session('first of all')
    const file = join(place.home.path, 'session-state', id, 'events.jsonl')
    const text = await readFile(file, 'utf8')
    const [last = ''] = text.trimEnd().split('\n').slice(-1)
    await (await place.engine.open(id)).close()
    let parentId = (JSON.parse(last) as { id: string }).id
    const lines = Array.from({ length: EVENTS }, (_, index) => {
      const [type, data] =
        index % 2 === 0
          ? (['user.message', { content: `question ${index}` }] as const)
          : (['assistant.message', { messageId: `m${index}`, content: `answer ${index}` }] as const)
      const event = {
        type,
        data,
        id: `${id}-${index}`,
        timestamp: '2026-03-02T09:30:00.000Z',
        parentId,
      }
      parentId = event.id
      return JSON.stringify(event)
    })
    await appendFile(file, `${lines.join('\n')}\n`)
    const page = await openSession(id)
    await sees(page, `answer ${EVENTS - 1}`)
    for (let pages = 0; pages < 3; pages++) {
      await page.locator('.transcript').evaluate((box) => void (box.scrollTop = 0))
      const earlier = EVENTS - 1 - 200 * (pages + 1)
      await page.waitForFunction(
        (most) =>
          [...document.querySelectorAll('.e-assistant .md')].some(
            ({ textContent }) => Number(textContent?.replace('answer ', '')) <= most,
          ) || (document.querySelector('.transcript')!.scrollTop = 0),
        earlier,
      )
    }
    assert.ok((await page.locator('.transcript .row').count()) < 100)
    await page.context().close()
  },
)

const EVENTS = 20_000

test('the colours are those of the system until someone chooses', options, async () => {
  const page = await openSession(await session('first'))
  const ground = (scheme: 'light' | 'dark') =>
    page
      .emulateMedia({ colorScheme: scheme })
      .then(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
  const seen: string[][] = []
  for (const theme of ['system', 'light', 'dark']) {
    const change = page.getByRole('button', { name: `Colours: ${theme}.` })
    await change.waitFor()
    const chosen = theme === 'system' ? 'html:not([data-theme])' : `html[data-theme='${theme}']`
    await page.locator(chosen).waitFor({ state: 'attached' })
    seen.push([theme, await ground('light'), await ground('dark')])
    await change.click()
  }
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(17, 20, 24)']
  assert.deepEqual(seen, [
    ['system', light, dark],
    ['light', light, light],
    ['dark', dark, dark],
  ])
  await page.context().close()
})
