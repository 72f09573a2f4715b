/** How far something is, on stderr, once it has taken long enough to wonder. */
import { safeText } from '../../lib/safe-text.ts'
import type { Cli } from './command.ts'
import { dim } from './render/span.ts'

const SECOND_MS = 1000

/** `undefined` when it is done. */
export function tellWorking(cli: Cli): (what: string | undefined) => void {
  const { stderr } = cli.host
  const isLine = stderr.isTTY === true && !cli.json
  let toldMs = Date.now()
  let isShown = false
  return (what) => {
    if (what === undefined) {
      if (isShown) stderr.write('\r\x1b[K')
      isShown = false
      return
    }
    const wait = isShown ? SECOND_MS / 10 : SECOND_MS
    if (cli.json || Date.now() - toldMs < wait) return
    toldMs = Date.now()
    if (!isLine) return cli.out.note(dim(what))
    isShown = true
    stderr.write(`\r\x1b[K${safeText(what)}`)
  }
}
