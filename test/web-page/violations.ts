/** What axe finds on the page that is shown. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function violations(page: Page, where: string): Promise<string[]> {
  // The policy of the page lets no script in; the browser's own console does.
  await page.evaluate(source)
  const results = await page.evaluate(async () => {
    type Found = { id: string; nodes: { html: string }[] }
    const { axe } = window as unknown as {
      axe: { run: (root: Document, options: object) => Promise<{ violations: Found[] }> }
    }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const { violations: all } = await axe.run(document, { runOnly: { type: 'tag', values: tags } })
    return all.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html.slice(0, 160))
          .slice(0, 3)
          .join(' | ')}`,
    )
  })
  return results.map((each) => `${where} ${each}`)
}
