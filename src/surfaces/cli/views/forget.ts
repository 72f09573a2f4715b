/** `forget` on the command line: where the text stands is shown before it is asked for. */
import { sayForgotten, type ForgetResult } from '../../../commands/forget.ts'
import type { View } from '../command.ts'
import { OK, exitCodes } from '../exit-codes.ts'
import { markdownLines } from '../render/markdown.ts'

export const forgetView: View<ForgetResult> = {
  async before(cli, given, { run }) {
    if (cli.json || given.flag('dryRun')) return
    const found = await run({ dryRun: true })
    if (found.places === 0) return
    const lines = sayForgotten(found).slice(0, -1).join('\n')
    for (const spans of markdownLines(lines)) cli.out.line(...spans)
  },
  show(cli, result, _given, say) {
    if (result.dryRun) return say()
    for (const spans of markdownLines(sayForgotten(result).slice(-1).join('\n')))
      cli.out.line(...spans)
    for (const { reason } of result.kept) cli.out.note(reason)
  },
  code({ places, kept }) {
    if (kept.some(({ code }) => code !== 'in_use')) return exitCodes.corrupt
    if (kept.length > 0) return exitCodes.in_use
    return places === 0 ? exitCodes.not_found : OK
  },
}
