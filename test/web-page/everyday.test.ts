/** What people do every day, in a real browser: review, restore, comment, pictures, a new session, a stop, being called. */
import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, eventsOf, promptsOf, scripted } from '../support/engine.ts'
import { inBrowser, noBrowser, openBrowser, sees, write, type TestBrowser } from './browser.ts'
import { openTunnel } from './tunnel.ts'

let place: TestBrowser
before(async () => {
  if (noBrowser === false)
    place = await openBrowser(
      undefined,
      {},
      {
        agents: {
          list: () => [{ name: 'robot', about: 'on this machine' }],
          make: async (name) => ({ ...scripted(), name }),
          usual: async () => 'robot',
          models: async () => ({ configured: 'm1', offered: ['m1', 'm2'] }),
        },
      },
    )
})
after(() => place?.[Symbol.asyncDispose]())

const options = inBrowser
const wide = { viewport: { width: 1400, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

async function session(name: string, ...prompts: string[]): Promise<SessionId> {
  const { id } = await place.engine.create({ cwd: place.project, name })
  for (const prompt of prompts) await converse(place.engine, id, { prompt })
  return id
}
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

test(
  'a review puts one file back, and its comments go to the agent as one message',
  options,
  async () => {
    const id = await session('reviewed', 'write a.txt one', 'write b.txt first', 'write a.txt two')
    const page = await place.open(`#/s/${id}/review?scope=session`, wide)
    const file = (name: string) => page.locator('.review-file', { hasText: name })
    await file('a.txt').getByText('two').waitFor()
    await page.locator('.review-tree').getByText('b.txt').waitFor()
    // One turn of it alone, chosen from the list.
    await page.getByLabel('What is reviewed').selectOption({ index: 1 })
    await page.locator('.review-tree').getByText('b.txt').waitFor({ state: 'detached' })
    await file('a.txt').locator('.d-remove').getByText('one').first().waitFor()
    await file('a.txt').getByRole('button', { name: 'Restore' }).click()
    await page.locator('.toast').getByText('a.txt is as it was before').waitFor()
    assert.equal(await readFile(join(place.project, 'a.txt'), 'utf8'), 'one')
    assert.equal(await readFile(join(place.project, 'b.txt'), 'utf8'), 'first')

    await page.evaluate((to) => void (location.hash = to), `#/s/${id}/review?scope=session`)
    await file('b.txt').getByRole('button', { name: 'Line 1: comment or blame' }).click()
    await button(page, 'Who wrote it?').click()
    await page.locator('.line-box a').getByText('write b.txt first').waitFor()
    await page.getByLabel('Comment on this line').fill('call it second')
    await button(page, 'Add the comment').click()
    await page.locator('.comments').getByText('1 comment, not sent yet').waitFor()
    await page.reload()
    await page.locator('.comments').getByText('1 comment, not sent yet').waitFor()
    await button(page, 'Send to the agent').click()
    await sees(page, 'call it second')
    const said = (await promptsOf(place.engine, id)).at(-1) ?? ''
    assert.match(said, /b\.txt/)
    assert.match(said, /call it second/)
    await page.context().close()
  },
)

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

/** As a browser gives it to a page when a person pastes or drops a picture. */
const give = (page: Page, selector: string, kind: 'paste' | 'drop', name: string) =>
  page.locator(selector).evaluate(
    (element, { type, base64, file }) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], file, { type: 'image/png' }))
      element.dispatchEvent(
        type === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
      )
    },
    { type: kind, base64: PNG, file: name },
  )

test('pictures are pasted and dropped, sent with a message and shown', options, async () => {
  const id = await session('pictures', 'one')
  const page = await place.open(`#/s/${id}`, wide)
  await sees(page, 'echo: one')
  await give(page, '[data-composer]', 'paste', 'pasted.png')
  await give(page, '[data-composer]', 'drop', 'dropped.png')
  await page.locator('.composer').getByText('dropped.png').waitFor()
  await write(page, 'look at these')
  const shown = page.locator('.e-user .picture img')
  await shown.nth(1).waitFor()
  for (const each of await shown.all())
    await page.waitForFunction(
      (image) => (image as HTMLImageElement).naturalWidth === 1,
      await each.elementHandle(),
    )
  const sent = (await eventsOf(place.engine, id)).findLast((event) => event.type === 'user.message')
  assert.match(JSON.stringify(sent), /pasted\.png.*dropped\.png/)
  await page.context().close()
})

test(
  'a new session has its folder, agent, model, mode and a picture with its first message',
  options,
  async () => {
    const folder = join(place.project, 'elsewhere')
    await mkdir(folder)
    const page = await place.open('#/', wide)
    await page.locator('.rail').waitFor()
    await page.keyboard.press('n')
    await page.waitForFunction(() => document.activeElement?.matches('dialog textarea'))
    await give(page, 'dialog textarea', 'paste', 'first.png')
    await page.getByLabel('Folder').fill(folder)
    await page.getByLabel('Agent').selectOption('robot')
    await page.locator('dialog select').nth(1).selectOption('plan')
    await page.getByRole('combobox', { name: 'Model' }).fill('m2')
    assert.deepEqual(
      await page
        .locator('dialog datalist option')
        .evaluateAll((all) =>
          all
            .map((each) => (each as HTMLOptionElement).value)
            .filter((value) => value.startsWith('m')),
        ),
      ['m1', 'm2'],
    )
    await page.getByLabel('First message').fill('begin here')
    await button(page, 'Begin').click()
    await page.locator('.e-user .picture img').waitFor()
    await page.locator('.session-head').getByText('elsewhere').waitFor()
    await page.locator('.facts').getByText('robot').waitFor()
    const id = (await page.evaluate(() => location.hash.slice('#/s/'.length))) as SessionId
    const { project, mode, model } = await (await place.engine.open(id)).state()
    assert.deepEqual([project.cwd, mode, model], [folder, 'plan', 'm2'])
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByLabel('Folder').fill('/nowhere at all')
    await page.getByLabel('First message').fill('not lost')
    await button(page, 'Begin').click()
    await page.locator('dialog [role=alert]').waitFor()
    assert.equal(await page.getByLabel('First message').inputValue(), 'not lost')
    await page.context().close()
  },
)

test(
  'two browsers and a phone see a text grow, stay when it is stopped, and its queue held',
  options,
  async () => {
    await using tunnel = await openTunnel()
    const id = await session('together', 'one')
    const pages = [
      await place.open(`#/s/${id}`, wide),
      await place.open(`#/s/${id}`, wide),
      await place.open(`#/s/${id}`, { ...phone, proxy: tunnel.proxy }),
    ]
    const [first, , small] = pages as [Page, Page, Page]
    const all = (what: (page: Page) => Promise<unknown>) => Promise.all(pages.map(what))
    await all((page) => sees(page, 'echo: one'))
    await write(first, 'stream half of a long answer')
    await all((page) => page.locator('.is-live').getByText('half of a long answer').waitFor())
    await write(small, 'what comes next')
    await all((page) => page.locator('.queue').getByText('what comes next').waitFor())
    await small.getByRole('button', { name: 'Stop', exact: true }).click()
    await all((page) => page.locator('.session-head').getByText('Idle').waitFor())
    await all((page) => page.locator('.queue').getByText('Held').waitFor())
    const kept = (page: Page) =>
      page.locator('.e-assistant').getByText('half of a long answer').waitFor()
    await all(kept)
    await first.reload()
    await kept(first)
    await first.locator('.queue').getByRole('button', { name: 'Clear' }).click()
    await all((page) => page.locator('.queue').waitFor({ state: 'detached' }))
    assert.deepEqual(await promptsOf(place.engine, id), ['one', 'stream half of a long answer'])

    // The phone goes into a tunnel, and comes out of it.
    tunnel.cut()
    await small.locator('.banner.is-lost').waitFor()
    await write(first, 'while the phone is away')
    await sees(first, 'echo: while the phone is away')
    tunnel.mend()
    await sees(small, 'echo: while the phone is away')
    await small.locator('.banner').waitFor({ state: 'detached' })
    for (const page of pages) await page.context().close()
  },
)

test(
  'a session that waits is told in the title, on the icon and by the system, and answered by a key',
  options,
  async () => {
    const id = await session('calls you', 'one')
    const page = await place.open('#/sql', wide)
    await page.context().grantPermissions(['notifications'])
    await page.addInitScript(() => {
      const told: object[] = []
      const Own = window.Notification
      class Watched extends Own {
        constructor(title: string, given?: NotificationOptions) {
          super(title, given)
          told.push({ title, body: given?.body, self: this })
        }
      }
      Object.assign(window, { Notification: Watched, told })
    })
    await page.reload()
    await page.locator('.rail').waitFor()
    await page.waitForFunction(() => document.title === 'Reprise')
    const asking = await place.engine.open(id)
    const { ended } = await asking.send({ prompt: 'permit rm -rf build' })
    await page.waitForFunction(() => document.title === '(1) Reprise')
    await page.waitForFunction(() =>
      document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href.startsWith('data:image/png'),
    )
    type Told = { title: string; body: string; self: Notification }
    const told = await page.waitForFunction(() => (window as unknown as { told: Told[] }).told[0]!)
    assert.deepEqual(await told.evaluate(({ title, body }) => [title, body]), [
      'calls you waits for you',
      'run rm -rf build',
    ])
    await told.evaluate(({ self }) => void self.dispatchEvent(new Event('click')))
    await page.waitForFunction((wanted) => location.hash.includes(wanted), id)
    await page.locator('div.ask').waitFor()
    // Its keys are heard wherever a person last clicked.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('y')
    await sees(page, 'decided: allow')
    assert.equal((await ended).status, 'completed')
    await page.waitForFunction(() => !document.title.startsWith('('))
    await page.context().close()
  },
)

test(
  'on a phone the service worker shows the notification, and a touch of it leads to the session',
  options,
  async () => {
    const id = await session('calls a phone', 'one')
    const page = await place.open('#/sql', phone)
    await page.context().grantPermissions(['notifications'])
    // As the browsers of Android have it: there is a constructor, and it always throws.
    await page.addInitScript(() => {
      const { requestPermission } = window.Notification
      const Illegal = Object.assign(
        function () {
          throw new TypeError("Failed to construct 'Notification': Illegal constructor.")
        },
        { permission: 'granted', requestPermission },
      )
      Object.assign(window, { Notification: Illegal })
    })
    await page.reload()
    await page.waitForFunction(() => document.title === 'Reprise')
    const starting = page.context().waitForEvent('serviceworker')
    const asking = await place.engine.open(id)
    const { ended } = await asking.send({ prompt: 'permit rm -rf build' })
    const worker = await starting
    const told = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      for (const end = Date.now() + 60_000; Date.now() < end;) {
        const [shown] = await registration.getNotifications()
        if (shown !== undefined) return [shown.title, shown.body]
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
      return []
    })
    assert.deepEqual(told, ['calls a phone waits for you', 'run rm -rf build'])
    await worker.evaluate(async () => {
      const here = globalThis as unknown as { registration: ServiceWorkerRegistration }
      const [notification] = await here.registration.getNotifications()
      const made = globalThis as unknown as {
        NotificationEvent: new (...given: unknown[]) => Event
      }
      dispatchEvent(new made.NotificationEvent('notificationclick', { notification }))
    })
    await page.waitForFunction((wanted) => location.hash.includes(wanted), id)
    await button(page, 'Deny').tap()
    await sees(page, 'decided: deny')
    assert.equal((await ended).status, 'completed')
    await page.context().close()
  },
)
