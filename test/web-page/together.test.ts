/** One session, two browsers and a terminal: whoever speaks, all see the same, in the same order. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { converse, promptsOf } from '../support/engine.ts'
import { PROGRAM } from '../support/program.ts'
import { startWorker } from '../inbox/start-worker.ts'
import { inBrowser, openBrowser, sees } from './browser.ts'

test('two browsers and a terminal are on one session', inBrowser, async () => {
  await using place = await openBrowser()
  const { engine, home, project } = place
  const { id } = await engine.create({ cwd: project })
  await converse(engine, id, { prompt: 'first' })
  const terminal = (...args: string[]) =>
    spawn(PROGRAM, [...args, '--home', home.path], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_NO_WARNINGS: '1', XDG_CACHE_HOME: home.path },
    })
  const watching = terminal('sessions', 'events', id, '--follow', '--json')
  const lines = createInterface({ input: watching.stdout })[Symbol.asyncIterator]()
  const read = async (text: string) => {
    for (let line = await lines.next(); !line.done; line = await lines.next())
      if (line.value.includes(text)) return
    assert.fail(`The terminal never showed ${text}`)
  }
  const pages = [await place.open(`#/s/${id}`), await place.open(`#/s/${id}`)] as const
  const all = async (text: string) => {
    await Promise.all(pages.map((page) => sees(page, text)))
    await read(text)
  }
  try {
    await all('echo: first')
    for (const [index, page] of pages.entries()) {
      await page.fill('[data-composer]', `from browser ${index}`)
      await page.press('[data-composer]', 'Enter')
      await all(`echo: from browser ${index}`)
      await page.locator('.session-head').getByText('Idle').waitFor()
    }
    const speaking = terminal('-p', 'from the terminal', '--resume', id, '--agent', 'offline')
    speaking.stdout.resume()
    const [code] = (await once(speaking, 'exit')) as [number]
    assert.equal(code, 0)
    await all('from the terminal')
    await pages[0].fill('[data-composer]', 'and back')
    await pages[0].press('[data-composer]', 'Enter')
    await all('echo: and back')
  } finally {
    watching.kill()
  }
  const prompts = ['first', 'from browser 0', 'from browser 1', 'from the terminal', 'and back']
  assert.deepEqual(await promptsOf(engine, id), prompts)
  for (const page of pages)
    assert.deepEqual(await page.locator('.e-user .md').allTextContents(), prompts)
})

test(
  'a browser answers, steers and stops a turn that runs in another process',
  inBrowser,
  async () => {
    await using place = await openBrowser()
    await using worker = await startWorker(place.home.path)
    const page = await place.open(`#/s/${worker.id}`)
    await sees(page, 'echo: first')
    const status = page.locator('.session-head [role=status]')

    worker.send('permit')
    await status.getByText('Waits for you').waitFor()
    const listed = page.locator('.session-link', { hasText: 'first' })
    await listed.locator('.dot.waiting').waitFor()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await sees(page, 'decided: allow')
    await status.getByText('Idle').waitFor()
    assert.equal(await worker.line('ended'), 'ended completed')

    worker.send('ask')
    await page.getByRole('button', { name: 'blue' }).click()
    await sees(page, 'answered: blue')
    assert.equal(await worker.line('ended'), 'ended completed')

    worker.send('wait')
    await status.getByText('Working').waitFor()
    await page.getByText('Steer', { exact: true }).click()
    await page.fill('[data-composer]', 'louder')
    await page.press('[data-composer]', 'Enter')
    await sees(page, 'heard: louder')
    assert.equal(await worker.line('ended'), 'ended completed')

    worker.send('wait')
    await status.getByText('Working').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await status.getByText('Idle').waitFor()
    assert.equal(await worker.line('ended'), 'ended cancelled')
  },
)
