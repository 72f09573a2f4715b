/** How far something is, on stderr, once it has taken long enough to wonder. */
import type { Cli } from './command.ts'
import { dim } from './render/span.ts'

const SECOND_MS = 1000
const WIDTH = 24

export function showProgress(
  cli: Cli,
  what: string,
): { tell(progress: { done: number; total: number }): void; end(): void } {
  const { stderr } = cli.host
  const isBar = stderr.isTTY === true && !cli.json
  let toldMs = Date.now()
  let isShown = false
  return {
    tell({ done, total }) {
      const wait = isShown && isBar ? SECOND_MS / 10 : SECOND_MS
      if (Date.now() - toldMs < wait || total === 0 || cli.json) return
      toldMs = Date.now()
      const count = `${done} of ${total} sessions ${what}`
      if (!isBar) {
        cli.out.note(dim(count))
        return
      }
      isShown = true
      const full = Math.round((done / total) * WIDTH)
      stderr.write(`\r${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${count}`)
    },
    end() {
      if (isShown) stderr.write('\r\x1b[K')
      isShown = false
    },
  }
}
