/** Claude Code: thinking, two tools at once, an edit, a failure, a picture, a sub-agent, a compaction, a rewind. */
import { cp, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PIXEL, repository, run, type Making } from './making.ts'

const ID = '5e551000-0000-4000-8000-00000000c1a0'

export async function claude(making: Making): Promise<void> {
  const { bin, home, model, project, to } = making
  await repository(making)
  const env = {
    HOME: home,
    ANTHROPIC_BASE_URL: model.origin,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
    MAX_THINKING_TOKENS: '2000',
  }
  const say = (how: readonly string[], prompt: string, more: readonly string[] = []) =>
    run(join(bin, 'claude'), ['-p', prompt, ...how, '--dangerously-skip-permissions', ...more], {
      env,
      cwd: project,
    })
  const file = join(project, 'made.txt')
  const again = ['--resume', ID]
  await say(
    ['--session-id', ID],
    `Make a file. [[think I look first.]] [[say Two at once.]] [[call Bash {"command":"echo one","description":"Say one"}]] [[call Write {"file_path":"${file}","content":"made\\n"}]] [[answer Both are done.]]`,
  )
  await say(
    again,
    `Change it. [[call Edit {"file_path":"${file}","old_string":"made","new_string":"changed"}]] [[answer Changed.]]`,
  )
  await say(
    again,
    `Read what is not there. [[call Bash {"command":"cat absent.txt","description":"Read"}]] [[answer It is not there.]]`,
  )
  const picture = {
    type: 'user',
    message: {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this? [[answer A red point.]]' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
      ],
    },
  }
  await run(
    join(bin, 'claude'),
    [
      '-p',
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--verbose',
      ...again,
    ],
    { env, cwd: project, input: `${JSON.stringify(picture)}\n` },
  )
  await say(
    again,
    'Ask another. [[call Task {"description":"Look around","prompt":"Look. <<call Bash {\\"command\\":\\"ls\\",\\"description\\":\\"List\\"}>> <<answer One file.>>","subagent_type":"general-purpose"}]] [[answer The other saw one file.]]',
  )
  const before = await uuidOf(join(home, '.claude/projects'), 'Changed.')
  await say(['--resume', ID, '--resume-session-at', before], 'Another way. [[answer Back there.]]')
  await say(again, '/compact keep the names of files')
  await say(again, 'What now? [[answer We went on.]]')
  await cp(join(home, '.claude/projects'), join(to, 'projects'), { recursive: true })
}

/** The line that says a text. */
async function uuidOf(projects: string, text: string): Promise<string> {
  const [folder = ''] = await readdir(projects)
  const lines = (await readFile(join(projects, folder, `${ID}.jsonl`), 'utf8')).split('\n')
  const found = lines.find(
    (line) => line.includes(`"text":"${text}"`) && line.includes('assistant'),
  )
  return (JSON.parse(found ?? '{}') as { uuid?: string }).uuid ?? ''
}
