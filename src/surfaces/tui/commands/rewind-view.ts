/** /rewind without a point: the messages to go back to, each with what that takes back, and what becomes of files. */
import type { Args } from '../../../commands/parse.ts'
import { rewind, sayPreview } from '../../../commands/time.ts'
import type { RewindPreview } from '../../../engine/time/rewind.ts'
import { ago, counted } from '../../../lib/quantities.ts'
import type { CommandHost } from './command.ts'
import { resultOf } from './show-result.ts'

export async function chooseRewind(host: CommandHost): Promise<Args | undefined> {
  const found = await resultOf(host, rewind, {})
  if (!('points' in found) || found.points.length === 0) return {}
  const point = await host.choose(
    'Go back to before which message?',
    found.points.map(({ turn, prompt, at, eventId }) => ({
      label: prompt,
      detail: `turn ${turn} · ${ago(at, host.now())}`,
      value: eventId,
    })),
    async (value) => {
      const [what, ...files] = sayPreview(await previewOf(host, value))
      return [`takes back ${what}`, ...files]
    },
  )
  if (point === undefined) return undefined
  const keepFiles = await keepsFiles(host, await previewOf(host, point))
  return keepFiles === undefined ? undefined : { point, keepFiles }
}

async function previewOf(host: CommandHost, point: string): Promise<RewindPreview> {
  const result = await resultOf(host, rewind, { point, preview: true })
  if ('files' in result) return result
  throw new TypeError('A preview was asked for.')
}

/** Undefined when the person leaves. */
async function keepsFiles(
  host: CommandHost,
  { turnsRemoved, files }: RewindPreview,
): Promise<boolean | undefined> {
  const what = counted(turnsRemoved, 'turn')
  if (files.length === 0)
    return (await host.confirm(`Take back ${what}? /redo brings it back.`)) ? false : undefined
  return host.choose('Take back what?', [
    {
      label: 'conversation and files',
      detail: `${what}; ${files.map(({ path }) => path).join(', ')}`,
      value: false,
    },
    { label: 'conversation', detail: what, value: true },
  ])
}
