/** The Copilot CLI: its folder is our own format, taken as it is, but for its instructions, locks and backups. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PIXEL, repository, run, type Making } from './making.ts'

const ID = '5e551000-0000-4000-8000-00000000c0b1'

export async function copilot(making: Making): Promise<void> {
  const { bin, home, model, project, to } = making
  await repository(making)
  const env = {
    HOME: home,
    COPILOT_HOME: home,
    XDG_CACHE_HOME: join(home, '..', 'cache'),
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${model.origin}/v1`,
    COPILOT_MODEL: 'mock-1',
  }
  const flags = ['--allow-all', '--no-color', '--no-auto-update']
  const say = (how: readonly string[], prompt: string) =>
    run(join(bin, 'copilot'), ['-p', prompt, ...flags, ...how], { env, cwd: project })
  const again = [`--resume=${ID}`]
  const file = join(project, 'made.txt')
  await say(
    ['--session-id', ID],
    `Make a file. [[think I look first.]] [[say Two at once.]] [[call bash {"command":"echo one","description":"Say one"}]] [[call create {"path":"${file}","file_text":"made\\n"}]] [[answer Both are done.]]`,
  )
  await say(
    again,
    `Change it. [[call edit {"path":"${file}","old_str":"made","new_str":"changed"}]] [[answer Changed.]]`,
  )
  await say(
    again,
    `Read what is not there. [[call view {"path":"${project}/absent.txt"}]] [[answer It is not there.]]`,
  )
  await writeFile(join(project, 'point.png'), Buffer.from(PIXEL, 'base64'))
  await say(
    [...again, '--attachment', join(project, 'point.png')],
    'What is this? [[answer A red point.]]',
  )
  await say(
    again,
    'Ask another. [[call task {"name":"looker","description":"Look around","prompt":"Look. <<answer One file.>>","agent_type":"explore","mode":"sync"}]] [[answer The other saw one file.]]',
  )
  await say(again, '/compact')
  await say(again, 'What now? [[answer We went on.]]')
  const folder = join(to, 'session-state', ID)
  for (const name of ['workspace.yaml', 'checkpoints', 'events.jsonl'])
    await cp(join(home, 'session-state', ID, name), join(folder, name), { recursive: true })
  const log = await readFile(join(folder, 'events.jsonl'), 'utf8')
  await writeFile(join(folder, 'events.jsonl'), log.split('\n').map(shortened).join('\n'))
}

const LONGEST = 2_000

/** Texts of such a length are the program's own instructions, which are its maker's: their first line stands for them. */
function shortened(line: string): string {
  const short = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > LONGEST ? value.split('\n', 1)[0] : value
  return line === '' ? line : JSON.stringify(JSON.parse(line, short))
}
