/** `sessions rewind`: without a target it lists the turns, so that nothing is removed by a half command. */
import type { RewindPoint } from '../../../state/turns.ts'
import { confirm } from '../ask.ts'
import type { Cli, Run } from '../command.ts'
import { findEvent } from '../find-event.ts'
import { findSession } from '../find-session.ts'
import { keptFiles, losses, showFiles, showFilesPreview } from '../render/rewound.ts'
import { counted, relativeTime } from '../../../lib/quantities.ts'
import { bold, dim } from '../render/span.ts'
import { table } from '../render/table.ts'
import { waiting } from '../wait.ts'

export const run: Run = async (cli, given) => {
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  const target = await findEvent(engine, id, { word: given.word(1), turn: given.whole('turn', 1) })
  if (target === undefined || given.flag('list'))
    return list(cli, await (await engine.open(id)).rewindPoints())
  const preview = await (await engine.open(id)).previewRewind(target)
  if (given.flag('preview')) {
    if (cli.json) cli.out.json(preview)
    else {
      cli.out.line(`Would remove ${losses(preview)}.`)
      showFilesPreview(cli, preview.files)
    }
    return
  }
  await confirm(cli, `Remove ${losses(preview)}?`, given.flag('yes'))
  const result = await (
    await engine.open(id)
  ).rewind(target, { ...keptFiles(given), ...waiting(cli, given) })
  if (cli.json) return cli.out.json(result)
  cli.out.line(`Removed ${losses(result)}. `, dim('redo brings it back.'))
  showFiles(cli, result)
}

function list(cli: Cli, points: readonly RewindPoint[]): void {
  if (cli.json) {
    cli.out.json({
      points: points.map(({ index, eventId, at, preview, eventsRemoved, bytesRemoved }) => ({
        turn: index + 1,
        eventId,
        at,
        prompt: preview,
        eventsRemoved,
        bytesRemoved,
      })),
    })
    return
  }
  const rows = points.map(({ index, eventId, at, preview, eventsRemoved }) => [
    bold(String(index + 1)),
    dim(eventId.slice(0, 8)),
    preview,
    dim(`removes ${counted(eventsRemoved, 'event')}`),
    dim(relativeTime(at, cli.now())),
  ])
  for (const spans of table(rows, { columns: cli.out.columns, shrink: 2, right: [0] })) {
    cli.out.line(...spans)
  }
  if (points.length === 0) cli.out.line('The session has no turn to rewind to.')
}
