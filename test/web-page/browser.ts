/** A real browser on a real server: the page as it is built, a home on disk, an agent that does what it is told. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { buildPage } from '../../scripts/build-page.ts'
import { redactorOf } from '../../src/wiring/open-redactor.ts'
import type { PermissionRequest } from '../../src/engine/agent.ts'
import type { Engine, EngineOptions } from '../../src/engine/engine.ts'
import { cacheFolder } from '../../src/lib/cache-folder.ts'
import { openBoard, type Board } from '../../src/store/board.ts'
import { createStore } from '../../src/store/store.ts'
import type { WebOptions, WebServer } from '../../src/surfaces/web/server.ts'
import { endTool, openHome, say, startTool, type Home, type Script } from '../support/engine.ts'
import { serve } from '../web/web.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Why these tests cannot run here; false when they can. */
export const noBrowser: string | false = existsSync(executablePath)
  ? false
  : `there is no Chromium at ${executablePath}; set CHROMIUM`

/** What has no deadline of its own, as a script in a page that never answers, ends with its test. */
export const inBrowser = { skip: noBrowser, timeout: 150_000 }

/** It talks to nobody but the server. Playwright gives every browser an empty profile of its own. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Certificates of tests are signed by themselves; it is sent nowhere but to loopback.
  '--ignore-certificate-errors',
]

/**
 * A runner ends a test file that takes too long by a signal: it must end this process, which Playwright would go on with.
 * The browser ends by itself with the pipe that it is led by.
 */
export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: flags,
    handleSIGTERM: false,
    handleSIGINT: false,
    handleSIGHUP: false,
  })

export interface TestBrowser extends AsyncDisposable {
  readonly home: Home
  readonly engine: Engine
  readonly project: string
  readonly server: WebServer
  readonly browser: Browser
  readonly board: Board
  /** Lets an agent that was told to `hold` go on. */
  release(): void
  /** A tab that is logged in. */
  open(hash?: string, options?: Parameters<Browser['newContext']>[0]): Promise<Page>
  stopServer(): Promise<void>
  /** On the port it had. */
  startServer(changed?: Partial<WebOptions>): Promise<void>
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

export async function openBrowser(
  script?: Script,
  given: Pick<EngineOptions, 'clock'> = {},
  web: Pick<Partial<WebOptions>, 'redact' | 'now' | 'limits' | 'tls' | 'agents'> = {},
): Promise<TestBrowser> {
  const home = await openHome()
  const project = await mkdtemp(join(tmpdir(), 'reprise-project-'))
  const assets = join(home.path, 'page')
  await buildPage(root, assets)
  let release = () => {}
  const engine = home.engine({
    script: script ?? obedient(project, () => new Promise((resolve) => (release = resolve))),
    policy: () => 'ask',
    trackFiles: true,
    answersQuestions: true,
    ...given,
  })
  const options = { cacheFolder: cacheFolder({ XDG_CACHE_HOME: home.path }) }
  const store = createStore(engine.fs, options)
  const board = openBoard(engine.fs, options)
  const start = (port: number, changed: Partial<WebOptions> = {}) =>
    serve(engine, home.path, {
      port,
      cwd: project,
      readAsset: (path) => readFile(join(assets, path)).catch(() => undefined),
      store: {
        store: async () => store,
        board: async () => board,
        redactor: () => redactorOf(home.path),
        ...options,
      },
      ...web,
      ...changed,
    })
  let server = await start(0)
  const browser = await launch()
  return {
    home,
    engine,
    project,
    browser,
    board,
    get server() {
      return server
    },
    release: () => release(),
    async open(hash = '#/', given = {}) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...given })
      // Long enough for the slowest machine; what is waited for comes at once on any other.
      context.setDefaultTimeout(Number(process.env['PAGE_TIMEOUT_MS'] ?? 60_000))
      const page = await context.newPage()
      await page.goto(server.link())
      await page.waitForSelector('.app')
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      return page
    },
    async stopServer() {
      await server[Symbol.asyncDispose]()
    },
    async startServer(changed) {
      server = await start(server.port, changed)
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await server[Symbol.asyncDispose]()
      await store.close()
      board.close()
      await home[Symbol.asyncDispose]()
      await rm(project, { recursive: true, force: true })
    },
  }
}

/** Does what the message says: `stream TEXT`, `hold`, `permit COMMAND`, `plan TEXT`, `ask TEXT`, `write FILE TEXT`, `print LINES`; else echoes. */
function obedient(project: string, hold: () => Promise<void>): Script {
  return async function* (turn) {
    const [verb = '', first = '', ...rest] = turn.message.content.split(' ')
    const text = [first, ...rest].join(' ')
    if (verb === 'stream') {
      const messageId = crypto.randomUUID()
      for (const word of text.split(/(?<= )/))
        yield {
          notice: {
            type: 'assistant.message_delta',
            data: { messageId, deltaContent: word },
          },
        }
      await hold()
      yield say(text, messageId)
    } else if (verb === 'hold') {
      await hold()
      yield say('released')
    } else if (verb === 'permit') {
      const { kind } = await turn.permit(shell(text))
      yield say(`decided: ${kind}`)
    } else if (verb === 'plan') {
      const plan = { kind: 'custom-tool', toolName: 'plan', toolDescription: 'plan' } as const
      const asked = { ...plan, toolCallId: crypto.randomUUID(), args: { plan: `1. **${text}**` } }
      const { kind, option } = await turn.permit(asked, { endsPlan: true, options: OWN })
      yield say(`decided: ${kind} by ${option}`)
    } else if (verb === 'ask') {
      yield say(`answered: ${await turn.ask({ question: text, choices: ['red', 'blue'] })}`)
    } else if (verb === 'write') {
      yield startTool('w', 'write_file', { path: join(project, first), content: rest.join(' ') })
      await mkdir(project, { recursive: true })
      await writeFile(join(project, first), rest.join(' '))
      yield endTool('w', 'written')
      yield say(`wrote ${first}`)
    } else if (verb === 'print') {
      yield startTool('p', 'bash', { command: `seq ${first}` })
      yield endTool('p', Array.from({ length: Number(first) }, (_, at) => `line ${at}`).join('\n'))
    } else yield say(`echo: ${turn.message.content}`)
  }
}

/** A text of the conversation is shown. */
export const sees = (page: Page, text: string) =>
  page.locator('.transcript').getByText(text).first().waitFor()

/** Sends a message as a person types it. */
export const write = async (page: Page, text: string) => {
  await page.fill('[data-composer]', text)
  await page.press('[data-composer]', 'Enter')
}

/** One thing of the menu of an open session. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.locator('.session-head .menu > summary').click()
  await page.locator('.session-head .menu-list').getByText(name, { exact: true }).click()
}

/** Answers of an agent's own. */
const OWN = [
  { id: 'ask', name: 'Yes, and ask for edits', kind: 'allow_once' },
  { id: 'freely', name: 'Yes, and never ask', kind: 'allow_always' },
  { id: 'stay', name: 'No, keep planning', kind: 'reject_once' },
]

export const shell = (command: string): PermissionRequest => ({
  kind: 'shell',
  toolCallId: crypto.randomUUID(),
  fullCommandText: command,
  intention: 'try it',
  commands: [],
  possiblePaths: [],
  possibleUrls: [],
  hasWriteFileRedirection: false,
  canOfferSessionApproval: true,
})
