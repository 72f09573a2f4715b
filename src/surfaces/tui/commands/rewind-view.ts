/** /rewind without a point: the messages to go back to, then what of it is taken back, with the difference it makes. */
import { fenced } from '../../../commands/markdown.ts'
import type { Args } from '../../../commands/parse.ts'
import type { RewindDiff } from '../../../commands/rewind-diffs.ts'
import { rewind, sayPreview } from '../../../commands/time.ts'
import type { RewindPreview } from '../../../engine/history/rewind.ts'
import { ago, counted } from '../../../lib/quantities.ts'
import type { CommandHost } from './command.ts'
import { resultOf } from './show-result.ts'

type Preview = RewindPreview & { readonly diffs: readonly RewindDiff[] }

export async function chooseRewind(host: CommandHost): Promise<Args | undefined> {
  const found = await resultOf(host, rewind, {})
  if (!('points' in found) || found.points === undefined || found.points.length === 0) return {}
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
  const part = await chosenPart(host, await previewOf(host, point))
  return part && { point, ...part }
}

async function previewOf(host: CommandHost, point: string): Promise<Preview> {
  const result = await resultOf(host, rewind, { point, preview: true })
  if ('files' in result) return result
  throw new TypeError('A preview was asked for.')
}

/** Undefined when the person leaves. */
async function chosenPart(host: CommandHost, preview: Preview): Promise<Args | undefined> {
  const { turnsRemoved, files, diffs } = preview
  const what = counted(turnsRemoved, 'turn')
  if (files.length === 0)
    return (await host.confirm(`Take back ${what}? /redo brings it back.`)) ? {} : undefined
  const named = files.map(({ path }) => path).join(', ')
  for (;;) {
    const chosen = await host.choose<Args | 'look'>(
      'Take back what?',
      [
        { label: 'conversation and files', detail: `${what}; ${named}`, value: {} },
        { label: 'files only', detail: named, value: { filesOnly: true } },
        { label: 'conversation only', detail: what, value: { keepFiles: true } },
        ...(diffs.length === 0
          ? []
          : [
              {
                label: 'show the differences',
                detail: `of ${counted(diffs.length, 'file')}, from now to then`,
                value: 'look' as const,
              },
            ]),
      ],
      async () => diffs.flatMap(({ path, diff }) => [path, ...diff.split('\n')]),
    )
    if (chosen !== 'look') return chosen
    await host.page('What would become of files', pageOf(preview))
  }
}

const pageOf = ({ diffs }: Preview): string =>
  diffs.map(({ path, diff }) => `**${path}**\n\n${fenced(diff, 'diff')}`).join('\n\n')
