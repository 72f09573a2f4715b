/** What axe finds on the page that is shown. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const ALL = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** `onlyColours`: where the rest of the page was looked at in other colours. */
export async function violations(
  page: Page,
  where: string,
  { onlyColours = false }: { readonly onlyColours?: boolean } = {},
): Promise<string[]> {
  // The policy of the page lets no script in; the browser's own console does.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const results = await page.evaluate(
    async (runOnly) => {
      type Found = { id: string; nodes: { html: string }[] }
      const { axe } = window as unknown as {
        axe: { run: (root: Document, options: object) => Promise<{ violations: Found[] }> }
      }
      const { violations: all } = await axe.run(document, { runOnly, resultTypes: ['violations'] })
      return all.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ html }) => html.slice(0, 160))
            .slice(0, 3)
            .join(' | ')}`,
      )
    },
    onlyColours ? COLOURS : ALL,
  )
  return results.map((each) => `${where} ${each}`)
}

/** What no rule of axe sees: a page that scrolls sideways, words that stand letter by letter, answers that are cut off. */
export async function misplaced(page: Page, where: string): Promise<string[]> {
  const found = await page.evaluate(() => {
    const faults: string[] = []
    const { scrollWidth } = document.documentElement
    if (scrollWidth > innerWidth + 1) faults.push(`is ${scrollWidth - innerWidth} px too wide`)
    for (const each of document.querySelectorAll<HTMLElement>('h1, h2, button, label, summary')) {
      const { width, height } = each.getBoundingClientRect()
      const isLetters = width > 1 && width < 60 && height > 60 && each.innerText.length > 4
      if (isLetters) faults.push(`stands letter by letter: ${each.innerText.slice(0, 40)}`)
    }
    for (const box of document.querySelectorAll('.item-more .asks'))
      if (box.scrollHeight > box.clientHeight + 1) faults.push('cuts off what is asked')
    return faults
  })
  return found.map((fault) => `${where} ${fault}`)
}
