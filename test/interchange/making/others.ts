/** Codex, Gemini CLI, Qwen Code, opencode and pi: the same conversation, as far as each can have it. */
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PIXEL, repository, run, type Making } from './making.ts'

const shell = (name: string, key: string, command: string, more = '') =>
  `[[call ${name} {"${key}":"${command}"${more}}]]`

async function picture({ project }: Making): Promise<string> {
  const path = join(project, 'point.png')
  await writeFile(path, Buffer.from(PIXEL, 'base64'))
  return path
}

export async function codex(making: Making): Promise<void> {
  const { bin, home, model, project, to } = making
  await repository(making)
  await mkdir(join(home, '.codex'))
  await writeFile(
    join(home, '.codex/config.toml'),
    `model = "mock-1"\nmodel_provider = "mock"\nmodel_reasoning_summary = "detailed"\n[model_providers.mock]\nname = "Mock"\nbase_url = "${model.origin}/v1"\nwire_api = "responses"\nrequires_openai_auth = false\n`,
  )
  const env = { HOME: home, CODEX_HOME: join(home, '.codex') }
  const flags = ['--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check']
  const say = (how: readonly string[], prompt: string, more: readonly string[] = []) =>
    run(join(bin, 'codex'), ['exec', ...flags, ...more, ...how, prompt], { env, cwd: project })
  const again = ['resume', '--last']
  await say(
    [],
    `Make a file. [[think I look first.]] [[say Two at once.]] ${shell('exec_command', 'cmd', 'echo one')} ${shell('exec_command', 'cmd', 'echo made > made.txt')} [[answer Both are done.]]`,
  )
  await say(
    again,
    `Read what is not there. ${shell('exec_command', 'cmd', 'cat absent.txt')} [[answer It is not there.]]`,
  )
  const patch =
    '*** Begin Patch\\\\n*** Update File: made.txt\\\\n@@\\\\n-made\\\\n+changed\\\\n*** End Patch'
  await say(
    again,
    `Change it. ${shell('exec_command', 'cmd', `apply_patch \\"${patch}\\"`.replaceAll('\\"', "'").replaceAll('\\\\n', '\\n'))} [[answer Changed.]]`,
  )
  const file = await picture(making)
  await run(
    join(bin, 'codex'),
    [
      'exec',
      ...flags,
      'resume',
      '--last',
      '-i',
      file,
      '--',
      'What is this? [[answer A red point.]]',
    ],
    { env, cwd: project },
  )
  await cp(join(home, '.codex/sessions'), join(to, 'sessions'), { recursive: true })
}

export async function gemini(making: Making): Promise<void> {
  const { bin, home, model, project, to } = making
  await repository(making)
  await mkdir(join(home, '.gemini'))
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    general: { checkpointing: { enabled: false } },
  }
  await writeFile(join(home, '.gemini/settings.json'), JSON.stringify(settings))
  const env = {
    HOME: home,
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: model.origin,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }
  const say = (how: readonly string[], prompt: string) =>
    run(
      join(bin, 'gemini'),
      ['-p', prompt, '-m', 'gemini-2.5-pro', '--yolo', '--skip-trust', ...how],
      { env, cwd: project },
    )
  const again = ['--resume', 'latest']
  await say(
    ['--session-id', '5e551000-0000-4000-8000-000000006e31'],
    `Make a file. [[think I look first.]] [[say Two at once.]] ${shell('run_shell_command', 'command', 'echo one')} [[call write_file {"file_path":"${project}/made.txt","content":"made\\n"}]] [[answer Both are done.]]`,
  )
  await say(
    again,
    `Change it. [[call replace {"file_path":"${project}/made.txt","instruction":"change it","old_string":"made","new_string":"changed"}]] [[answer Changed.]]`,
  )
  await say(
    again,
    `Read what is not there. [[call read_file {"file_path":"${project}/absent.txt"}]] [[answer It is not there.]]`,
  )
  await picture(making)
  await say(again, 'What is this? @point.png [[answer A red point.]]')
  for (const name of ['tmp', 'projects.json'])
    await cp(join(home, '.gemini', name), join(to, name), { recursive: true })
}

export async function qwen(making: Making): Promise<void> {
  const { bin, home, model, project, to } = making
  await repository(making)
  const env = {
    HOME: home,
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model.origin}/v1`,
    OPENAI_MODEL: 'mock-1',
    QWEN_CODE_NO_RELAUNCH: 'true',
  }
  const id = '5e551000-0000-4000-8000-00000000093e'
  const say = (how: readonly string[], prompt: string) =>
    run(join(bin, 'qwen'), ['-p', prompt, '--yolo', '--auth-type', 'openai', ...how], {
      env,
      cwd: project,
    })
  const again = ['--resume', id]
  await say(
    ['--session-id', id],
    `Make a file. [[think I look first.]] [[say Two at once.]] ${shell('run_shell_command', 'command', 'echo one', ',"is_background":false')} [[call write_file {"file_path":"${project}/made.txt","content":"made\\n"}]] [[answer Both are done.]]`,
  )
  await say(
    again,
    `Change it. [[call edit {"file_path":"${project}/made.txt","old_string":"made","new_string":"changed"}]] [[answer Changed.]]`,
  )
  await say(
    again,
    `Read what is not there. [[call read_file {"file_path":"${project}/absent.txt"}]] [[answer It is not there.]]`,
  )
  await picture(making)
  await say(again, 'What is this? @point.png [[answer A red point.]]')
  await say(
    again,
    'Ask another. [[call agent {"description":"Look around","prompt":"Look. <<answer One file.>>","subagent_type":"general-purpose"}]] [[answer The other saw one file.]]',
  )
  await say(again, '/compress')
  await say(again, 'What now? [[answer We went on.]]')
  await cp(join(home, '.qwen/projects'), join(to, 'projects'), { recursive: true })
}

export async function opencode(making: Making): Promise<void> {
  const { bin, home, model, project, to } = making
  await repository(making)
  const config = {
    model: 'mock/mock-1',
    small_model: 'mock/mock-1',
    autoupdate: false,
    share: 'disabled',
    permission: { '*': 'allow', external_directory: 'allow' },
    provider: {
      mock: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Mock',
        options: { baseURL: `${model.origin}/v1`, apiKey: 'none' },
        models: {
          'mock-1': {
            name: 'Mock',
            tool_call: true,
            reasoning: true,
            attachment: true,
            modalities: { input: ['text', 'image'], output: ['text'] },
            limit: { context: 100_000, output: 4_000 },
          },
        },
      },
    },
  }
  await mkdir(join(home, '.config/opencode'), { recursive: true })
  await writeFile(join(home, '.config/opencode/opencode.json'), JSON.stringify(config))
  const env = {
    HOME: home,
    OPENCODE_DISABLE_AUTOUPDATE: 'true',
    OPENCODE_DISABLE_MODELS_FETCH: 'true',
  }
  const say = (how: readonly string[], prompt: string) =>
    // As words it would quote what is in the prompt once more.
    run(join(bin, 'opencode'), ['run', ...how], { env, cwd: project, input: prompt })
  await say(
    [],
    `Make a file. [[think I look first.]] [[say Two at once.]] ${shell('bash', 'command', 'echo one', ',"description":"Say one"')} [[call write {"filePath":"${project}/made.txt","content":"made\\n"}]] [[answer Both are done.]]`,
  )
  await say(
    ['--continue'],
    `Change it. [[call edit {"filePath":"${project}/made.txt","oldString":"made","newString":"changed"}]] [[answer Changed.]]`,
  )
  await say(
    ['--continue'],
    `Read what is not there. [[call read {"filePath":"${project}/absent.txt"}]] [[answer It is not there.]]`,
  )
  const file = await picture(making)
  await say(['--continue', '-f', file], 'What is this? [[answer A red point.]]')
  await say(
    ['--continue'],
    'Ask another. [[call task {"description":"Look around","prompt":"Look. <<answer One file.>>","subagent_type":"general"}]] [[answer The other saw one file.]]',
  )
  await say(['--continue', '--command', 'compact'], '')
  await say(['--continue'], 'What now? [[answer We went on.]]')
  const data = join(home, '.local/share/opencode')
  await run('sqlite3', [join(data, 'opencode.db'), 'pragma wal_checkpoint(truncate)'], { env })
  await cp(join(data, 'opencode.db'), join(to, 'opencode.db'))
}

export async function pi(making: Making): Promise<void> {
  const { bin, home, model, project, to } = making
  await repository(making)
  await mkdir(join(home, '.pi/agent'), { recursive: true })
  const models = {
    providers: {
      mock: {
        baseUrl: `${model.origin}/v1`,
        apiKey: 'none',
        api: 'openai-completions',
        models: [
          {
            id: 'mock-1',
            name: 'Mock',
            reasoning: true,
            input: ['text', 'image'],
            cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
            contextWindow: 100_000,
            maxTokens: 4_000,
          },
        ],
      },
    },
  }
  await writeFile(join(home, '.pi/agent/models.json'), JSON.stringify(models))
  const env = { HOME: home, PI_OFFLINE: '1' }
  const flags = ['--provider', 'mock', '--model', 'mock-1']
  const say = (how: readonly string[], ...words: string[]) =>
    run(join(bin, 'pi'), ['-p', ...flags, ...how, ...words], { env, cwd: project })
  await say(
    [],
    `Make a file. [[think I look first.]] [[say Two at once.]] ${shell('bash', 'command', 'echo one')} [[call write {"path":"${project}/made.txt","content":"made\\n"}]] [[answer Both are done.]]`,
  )
  await say(
    ['-c'],
    `Change it. [[call edit {"path":"${project}/made.txt","edits":[{"oldText":"made","newText":"changed"}]}]] [[answer Changed.]]`,
  )
  await say(
    ['-c'],
    `Read what is not there. [[call read {"path":"${project}/absent.txt"}]] [[answer It is not there.]]`,
  )
  const file = await picture(making)
  await say(['-c'], `@${file}`, 'What is this? [[answer A red point.]]')
  const commands = [
    { type: 'compact' },
    { type: 'prompt', message: 'What now? [[answer We went on.]]' },
  ]
  await run(
    'sh',
    [
      '-c',
      `(${commands.map((each) => `echo '${JSON.stringify(each)}'; sleep 4`).join('; ')}) | ${join(bin, 'pi')} --mode rpc -c ${flags.join(' ')}`,
    ],
    { env, cwd: project },
  )
  await cp(join(home, '.pi/agent/sessions'), join(to, 'sessions'), { recursive: true })
}
