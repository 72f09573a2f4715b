/** The page of Mission Control in a real browser: a team searches, shares, invites, starts tasks and ends access there. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { makePlace } from '../e2e/cli.ts'
import { choose, launch, inBrowser } from './browser.ts'
import { violations } from './violations.ts'
import { runProgram, serveProgram, steerable } from '../control/program.ts'

const options = inBrowser
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const

/** A server, a machine of its owner Ann with a session that goes on, and a browser that is signed in. */
async function openStage() {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-control-'))
  const data = ['--data', join(folder, 'data')]
  const env = { ...process.env, REPRISE_HOME: folder }
  const machine = makePlace()
  const node = await serveProgram(data, env, 0)
  await runProgram(['control', 'people', '--add', 'Ann', '--role', 'owner', '--json', ...data], env)
  const wish = ['--name', 'ann', '--machine', 'ann-laptop', '--scope', SCOPES, '--json']
  const made = await runProgram(['control', 'token', 'create', ...wish, ...data], env)
  const { token } = JSON.parse(made) as { token: string }
  const login = await machine.run(['remote', 'login', node.url, '--token', token])
  assert.equal(login.code, 0, login.stderr)
  await machine.run(['config', 'set', 'control.mode', 'steer'])
  const id = await machine.session('a heron by the river')
  const terminal = machine.start(['--resume', id, '--plain'])
  await steerable(node.url, token, id)
  const browser = await launch()
  const open = (link: string, given: Parameters<Browser['newContext']>[0] = {}) =>
    openPage(browser, link, given)
  const link = async () => linkIn((await machine.run(['remote', 'link'])).stdout)
  return {
    id,
    url: node.url,
    open,
    link,
    async [Symbol.asyncDispose]() {
      await browser.close()
      terminal.kill()
      await node.kill()
      machine[Symbol.dispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const SCOPES = 'export,watch,steer,start,admin'
const linkIn = (text: string): string => /https?:\/\/\S+#code=[\w-]+/.exec(text)?.[0] ?? ''

async function openPage(
  browser: Browser,
  link: string,
  given: Parameters<Browser['newContext']>[0],
): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...given })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await page.goto(link)
  return page
}

const go = (page: Page, hash: string) => page.evaluate((to) => void (location.hash = to), hash)
/** A message with the name of who said it. */
const said = (page: Page, text: string, who: string) =>
  page.locator('.e-user', { hasText: text }).locator('.who').getByText(who, { exact: true }).first()
const sees = (page: Page, text: string | RegExp, inside = 'main') =>
  page.locator(inside).getByText(text).first().waitFor()

test(
  'the team’s sessions are searched, asked in SQL and reported on in the page',
  options,
  async () => {
    await using stage = await openStage()
    const page = await stage.open(await stage.link())
    await sees(page, /ann-laptop/, '.session-list')

    await go(page, '#/search?q=heron')
    await page.locator('.result').first().waitFor()
    await page.getByLabel('Whose sessions').selectOption('team')
    await sees(page, '0 places')
    await go(page, '#/sql')
    await page.getByLabel('Whose sessions').selectOption('mine')
    await page.getByLabel('SQL').fill('SELECT machine, cwd FROM sessions')
    await page.getByRole('button', { name: 'Run' }).click()
    await sees(page, 'ann-laptop', '.result-table')
    await go(page, '#/chronicle/standup')
    await sees(page, /heron/, '.md')
    await go(page, '#/chronicle/charts')
    await page.locator('.chart svg').first().waitFor()

    await go(page, '#/team/people')
    await sees(page, 'You are Ann, owner.')
    const found: string[] = []
    const phone = await stage.open(await stage.link(), PHONE)
    for (const part of ['people', 'tokens', 'tasks', 'workers', 'limits', 'record'])
      for (const [each, where] of [
        [page, 'wide'],
        [phone, 'phone'],
      ] as const) {
        await go(each, `#/team/${part}`)
        await each.locator('main h1').waitFor()
        found.push(...(await violations(each, `${where} ${part}`)))
      }
    assert.deepEqual(found, [])
    await phone.getByRole('navigation', { name: 'Places, short' }).getByLabel('More').click()
    await phone.getByRole('link', { name: 'Team' }).waitFor()
  },
)

test(
  'a session is shared with the team and with a guest, steered by who may, and ended for each',
  options,
  async () => {
    await using stage = await openStage()
    const { id } = stage
    const ann = await stage.open(await stage.link())
    await go(ann, '#/team/people')
    await ann.getByLabel('Name').fill('Ben')
    await ann.getByRole('button', { name: 'Invite' }).click()
    const ben = await stage.open(await ann.getByLabel('Link of the invitation').inputValue())
    await sees(ben, /No sessions yet/, '.rail')
    await go(ann, '#/team/tokens')
    await go(ann, '#/team/people')
    await ann.getByLabel('Name').fill('Vic')
    await ann.getByLabel('Role').selectOption('viewer')
    await ann.getByRole('button', { name: 'Invite' }).click()
    const vic = await stage.open(await ann.getByLabel('Link of the invitation').inputValue())

    await go(ann, `#/s/${id}`)
    await sees(ann, /heron/, '.transcript')
    await choose(ann, 'Share…')
    const dialog = ann.locator('dialog[open]')
    await dialog.getByLabel('The team may watch and search it').click()
    await sees(ann, 'The team sees it now.', 'dialog[open]')
    await sees(ben, /Ann · ann-laptop/, '.session-list')
    await go(ben, `#/s/${id}`)
    await sees(ben, /heron/, '.transcript')
    await ben.getByRole('heading', { name: 'a heron by the river' }).waitFor()
    await go(vic, `#/s/${id}`)
    await sees(vic, /heron/, '.transcript')
    await sees(vic, 'You watch this session.')
    assert.equal(await vic.locator('[data-composer]').count(), 0)
    assert.deepEqual(await vic.getByText(/^(?:Undo…|Delete…|Share…|Fork)$/).count(), 0)
    await ben.locator('[data-composer]').fill('from Ben')
    await ben.keyboard.press('Enter')
    await sees(
      ben,
      /Only its own person may do this here.*Nothing was queued/,
      '.toast, .session-main',
    )

    await ann.reload()
    await choose(ann, 'Share…')
    await dialog.getByLabel('write to it and stop it').click()
    await sees(ann, 'Saved.', 'dialog[open]')
    await ben.locator('[data-composer]').fill('from Ben')
    await ben.keyboard.press('Enter')
    await sees(ben, 'from Ben', '.transcript')
    // Each is named to the other.
    await said(ben, 'from Ben', 'You').waitFor()
    await said(ben, 'heron', 'Ann').waitFor()
    await said(vic, 'from Ben', 'Ben').waitFor()
    await said(ann, 'from Ben', 'Ben').waitFor()
    await said(ann, 'heron', 'You').waitFor()
    // Who may watch may have what is seen as a file.
    for (const page of [ben, vic]) {
      const exported = await page.evaluate(
        async (path) => (await fetch(path)).text(),
        `/api/sessions/${id}/export?format=json`,
      )
      assert.match(exported, /"reprise-session"[^]*from Ben/)
    }

    await dialog.getByRole('button', { name: 'Make a link' }).click()
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
    const guest = await stage.open(link, PHONE)
    await guest.getByText('Read-only view. Secrets are hidden.').waitFor()
    await sees(guest, /heron/, '.transcript')
    assert.equal(await guest.locator('[data-composer]').count(), 0)
    const asked = (path: string) => guest.evaluate(async (to) => (await fetch(to)).status, path)
    for (const path of ['/api/sessions', '/api/people', '/api/search?q=heron', '/api/tokens'])
      assert.equal(await asked(path), 403, path)
    await dialog.getByRole('button', { name: 'End' }).click()
    await sees(ann, 'This link has ended.', 'dialog[open]')
    await guest.reload()
    await guest.getByText('This guest link has expired or was ended.').waitFor()

    await ann.reload()
    await go(ann, '#/team/people')
    const card = ann.getByRole('listitem').filter({ hasText: 'Ben' })
    await card.getByRole('button', { name: 'Rename' }).click()
    await card.getByLabel('Name').fill('Ben Brook')
    await card.getByRole('button', { name: 'Keep the name' }).click()
    await sees(ann, 'The name was changed.', '.toast')
    await card.getByText('End access').click()
    await sees(ann, 'Ben Brook has no access any more.', '.toast')
    await ben.reload()
    await ben.getByText('This browser is not let in').waitFor()
  },
)

test('tokens and tasks are made and ended in the page', options, async () => {
  await using stage = await openStage()
  const page = await stage.open(await stage.link())
  await go(page, '#/team/tokens')
  await page.getByLabel('Name').fill('a script')
  await page.getByRole('button', { name: 'Make it' }).click()
  const token = await page.getByLabel('The token').inputValue()
  const headers = { authorization: `Bearer ${token}` }
  const me = () => fetch(`${stage.url}/api/me`, { headers })
  assert.equal((await me()).status, 200)
  await page.getByRole('listitem').filter({ hasText: 'a script' }).getByText('Revoke').click()
  await sees(page, 'The token is of no use any more.', '.toast')
  assert.equal((await me()).status, 401)

  await go(page, '#/team/tasks')
  await page.getByRole('button', { name: 'New task' }).click()
  await page.getByLabel('What is wanted').fill('count the herons')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/#\/s\//)
  await go(page, '#/team/tasks')
  const task = page.getByRole('listitem').filter({ hasText: 'count the herons' })
  await task.getByText('queued').waitFor()
  await task.getByRole('button', { name: 'Cancel' }).click()
  await task.getByText('cancelled').waitFor()
  await task.getByRole('button', { name: 'Put away' }).click()
  await sees(page, /No tasks/)

  await go(page, '#/team/limits')
  await page.getByLabel('Sessions that are kept').fill('500')
  await page.getByRole('button', { name: 'Save' }).click()
  await sees(page, 'Saved.', '.toast')
  await go(page, '#/team/record')
  await sees(page, 'tenant: changed', '.result-table')
})
