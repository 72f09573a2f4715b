/** The page in Chromium: from the address of a session with 100,000 events to its end on the screen, and its script. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type BrowserContext } from 'playwright-core'
import { buildPage, firstViewBytes } from '../../scripts/build-page.ts'
import type { Case } from '../case.ts'
import type { RewindPoint } from '../../src/state/turns.ts'
import type { OneSession } from '../data.ts'
import { engineAt } from '../engine-at.ts'
import { summaryOf } from '../measure.ts'
import { webAt } from '../web-at.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const RUNS = 7

/** In a tab that is logged in, the first view of all. */
async function open({ home, id }: OneSession, assets: string): Promise<Times> {
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
  const points = await (await engine.open(id)).rewindPoints()
  const anchored = await jump(context, `${server.url}/#/s/${id}`, points)
  await engine.stop()
  return { atEnd: times, anchored }
}

type Times = { readonly atEnd: number[]; readonly anchored: number[] }

/** In an open session, from a link to a turn far away to that turn on the screen; there and back over all of it. */
async function jump(
  context: BrowserContext,
  url: string,
  points: readonly RewindPoint[],
): Promise<number[]> {
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('.entry').last().waitFor()
  const times: number[] = []
  for (const share of [0.999, 0.5, 0.1, 0.9, 0.25, 0.75, 0.002, 0.98]) {
    const { index, eventId } = points[Math.floor(points.length * (1 - share))]!
    const startedAt = performance.now()
    await page.goto(`${url}?turn=${index}`)
    await page.locator(`[data-row^='${eventId} '] .is-shown`).waitFor()
    times.push(performance.now() - startedAt)
  }
  await page.close()
  return times
}

export const pageCase: Case = {
  name: 'page',
  async figures({ homes: { big }, scratch }) {
    const assets = join(scratch, 'page')
    await buildPage(root, assets)
    const kilobytes = (await firstViewBytes(assets)) / 1000
    const script = {
      name: 'what the first view of the page loads, gzip',
      unit: 'kB',
      target: { atMost: 150 },
      measured: summaryOf([kilobytes]),
    } as const
    if (!existsSync(executablePath)) return [script]
    const { atEnd, anchored } = await open(big, assets)
    return [
      script,
      {
        name: 'page opens a session of 100,000 events at its end',
        unit: 'ms',
        target: { atMost: 1000 },
        measured: summaryOf(atEnd),
      },
      {
        name: 'page opens any place of a session of 100,000 events',
        unit: 'ms',
        target: { atMost: 1000 },
        measured: summaryOf(anchored),
      },
    ]
  },
}
