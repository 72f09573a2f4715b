/**
 * The genuine Copilot CLI, Claude Code behind `reprise acp`, and our own terminal on one Mission Control: a browser, wide
 * and as small as a phone, sees all three and writes to each.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joined } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { runProgram, serveProgram, steerable } from '../control/program.ts'
import { makePlace } from '../e2e/cli.ts'
import { launch, noBrowser } from '../web-page/browser.ts'
import { openProgram } from './acp-programs.ts'
import { openStage } from './agent-stage.ts'
import type { Checks } from './checks.ts'
import { startModel } from './model.ts'
import { REPOSITORY, type Place } from './place.ts'

const SIZES = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
} as const

export async function checkMissionControl(checks: Checks, place: Place): Promise<void> {
  if (noBrowser !== false) return checks.note(noBrowser)
  const folder = await mkdtemp(joined(tmpdir(), 'reprise-interop-control-'))
  const env = { ...process.env, REPRISE_HOME: folder }
  const data = ['--data', joined(folder, 'data')]
  const node = await serveProgram(data, env, 0)
  const browser = await launch()
  try {
    const tokenOf = async (machine: string): Promise<string> => {
      const wish = ['--name', machine, '--machine', machine, '--scope', 'export,watch,steer,start']
      const made = await runProgram(['control', 'token', 'create', ...wish, '--json', ...data], env)
      return (JSON.parse(made) as { token: string }).token
    }
    const join = (machine: string) => async (home: string) => {
      const at = ['--home', home]
      const token = await tokenOf(machine)
      await runProgram(['remote', 'login', node.url, '--token', token, ...at], env)
      await runProgram(['config', 'set', 'control.mode', 'steer', ...at], env)
    }

    const copilotId = crypto.randomUUID()
    const copilot = await place.copilot({
      COPILOT_OFFLINE: 'false',
      COPILOT_MC_BASE_URL: `${node.url}/copilot`,
      COPILOT_MC_ACCESS_TOKEN: await tokenOf('copilot-box'),
      COPILOT_MC_FRONTEND_URL: node.url,
      COPILOT_MC_REPO: REPOSITORY,
      COPILOT_MC_REPO_IDS: '1,2',
      COPILOT_API_URL: node.url,
      COPILOT_DEBUG_GITHUB_API_URL: node.url,
      GITHUB_API_URL: node.url,
    })
    await copilot.create(copilotId, place.project)
    const credentials = { type: 'token', host: 'https://github.com', token: 'none' }
    await copilot.request('session.gitHubAuth.setCredentials', {
      sessionId: copilotId,
      credentials: { ...credentials, copilotUser: { login: 'me' } },
    })
    await copilot.send(copilotId, '<<answer copilot is here>>')
    await checks.check('the Copilot CLI exports to it, unmodified', async () => {
      const wish = { sessionId: copilotId, mode: 'on' }
      const answer = await copilot.request<{ url?: string }>('session.remote.enable', wish)
      assert.ok(answer.url?.startsWith(node.url), JSON.stringify(answer))
    })

    await using model = await startModel()
    await using claude = await openProgram('claude', model)
    if (claude === undefined) return checks.note('Claude Code could not be installed: not checked')
    await using editor = await openStage(claude, model, join('claude-box'))
    await editor.begin()
    await editor.say('<<answer claude is here>>')

    using machine = makePlace()
    await join('our-box')(machine.home)
    const ownId = await machine.session('our terminal is here')
    const terminal = machine.start(['--resume', ownId, '--plain'])
    try {
      const three = [
        {
          id: copilotId,
          says: 'copilot is here',
          by: 'the Copilot CLI',
          log: () => place.logOf(copilotId),
        },
        {
          id: editor.sessionId,
          says: 'claude is here',
          by: 'Claude Code behind reprise acp',
          log: async () => JSON.stringify(await editor.events()),
        },
        {
          id: ownId,
          says: 'our terminal is here',
          by: 'our own terminal',
          log: () => readFile(joined(machine.home, 'session-state', ownId, 'events.jsonl'), 'utf8'),
        },
      ]
      for (const [name, size] of Object.entries(SIZES)) {
        const token = await tokenOf(name)
        for (const { id } of three) await steerable(node.url, token, id)
        const page = await signIn(browser, node.url, token, size)
        for (const { id, says, by, log } of three) {
          await checks.check(`a ${name} browser sees ${by}`, () => sees(page, id, says))
          await checks.check(`a ${name} browser writes to ${by}`, async () => {
            await writes(page, `<<answer heard on ${name}>>`)
            assert.match(await log(), new RegExp(`heard on ${name}`))
          })
        }
        await page.context().close()
      }
    } finally {
      terminal.kill()
    }
  } finally {
    await browser.close()
    await node.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function signIn(
  browser: Browser,
  url: string,
  token: string,
  size: (typeof SIZES)[keyof typeof SIZES],
): Promise<Page> {
  const headers = { authorization: `Bearer ${token}` }
  const made = await fetch(`${url}/api/login/link`, { method: 'POST', headers })
  const { code } = (await made.json()) as { code: string }
  const context = await browser.newContext({ reducedMotion: 'reduce', ...size })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await page.goto(`${url}/#code=${code}`)
  await page.waitForSelector('.app')
  return page
}

async function sees(page: Page, id: string, text: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/s/${id}`)}`)
  await page.locator('.transcript').getByText(text).first().waitFor()
}

/** It stands in the transcript as what the person said, when the machine has it in its log. */
async function writes(page: Page, text: string): Promise<void> {
  await page.locator('[data-composer]').fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
  const said = page.locator('.transcript .e-user').getByText(text)
  await said.first().waitFor()
}
