/** The page in Chromium: from the address of a session with 100,000 events to its end on the screen, and its script. */
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { buildPage } from '../../scripts/build-page.ts'
import type { Case } from '../case.ts'
import type { OneSession } from '../data.ts'
import { engineAt } from '../engine-at.ts'
import { summaryOf } from '../measure.ts'
import { webAt } from '../web-at.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const RUNS = 7

/** In a tab that is logged in, the first view of all. */
async function open({ home, id }: OneSession, assets: string): Promise<number[]> {
  const engine = engineAt(home)
  await using server = await webAt(engine, home, (path) =>
    readFile(join(assets, path)).catch(() => undefined),
  )
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  await using browser = await chromium.launch({ executablePath, args })
  const context = await browser.newContext()
  const login = await context.newPage()
  await login.goto(server.link())
  await login.locator('.app').waitFor()
  const times: number[] = []
  for (let round = 0; round < RUNS; round++) {
    const page = await context.newPage()
    const startedAt = performance.now()
    await page.goto(`${server.url}/#/s/${id}`)
    await page.locator('.entry').last().waitFor()
    times.push(performance.now() - startedAt)
    await page.close()
  }
  await engine.stop()
  return times
}

export const pageCase: Case = {
  name: 'page',
  async figures({ homes: { big }, scratch }) {
    const assets = join(scratch, 'page')
    await buildPage(root, assets)
    const kilobytes = gzipSync(readFileSync(join(assets, 'page.js'))).length / 1000
    const script = {
      name: 'script of the page, gzip',
      unit: 'kB',
      target: { atMost: 120 },
      measured: summaryOf([kilobytes]),
    } as const
    if (!existsSync(executablePath)) return [script]
    return [
      script,
      {
        name: 'page opens a session of 100,000 events at its end',
        unit: 'ms',
        target: { atMost: 1000 },
        measured: summaryOf(await open(big, assets)),
      },
    ]
  },
}
