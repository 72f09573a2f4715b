import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import { encodeText } from '../lib/bytes.ts'
import { BadConfig, parseConfig } from './config-file.ts'
import { withGithub } from './github-server.ts'
import { hooksOf } from './hook-commands.ts'
import { CONFIG, loadConfig, readConfig, writeConfig } from './load.ts'
import { unknownNames } from './setting-names.ts'
import { BadSetting, getSetting, setSetting, unsetSetting } from './settings.ts'

test('a home without a file has an empty configuration, and what is written is read again', async () => {
  const fs = openMemory()
  assert.deepEqual(await readConfig(fs), {})
  const config = {
    agent: 'model',
    model: { provider: 'openai' as const, name: 'm' },
    later: { kept: true },
  }
  await writeConfig(fs, config)
  assert.deepEqual(await readConfig(fs), config)
})

test('a file that cannot be used is named with the place that is wrong', () => {
  for (const [text, problem] of [
    ['{', /not JSON/],
    ['[]', /the file/],
    ['{"agent": 3}', /agent/],
    ['{"model": {"provider": "elsewhere"}}', /model\.provider/],
    ['{"hooks": {"preToolUse": [{}]}}', /hooks\.preToolUse\.0\.command/],
  ] as const) {
    assert.throws(
      () => parseConfig(text, 'config.json'),
      (error) => error instanceof BadConfig && problem.test(error.message),
    )
  }
})

test('settings are read, set and taken away by their dotted names; others stay', () => {
  const config = setSetting({ agent: 'offline' }, 'model.name', 'gpt')
  assert.deepEqual(config, { agent: 'offline', model: { name: 'gpt' } })
  assert.equal(getSetting(config, 'model.name'), 'gpt')
  assert.equal(getSetting(config, 'model.baseUrl'), undefined)
  assert.deepEqual(setSetting(config, 'permissions.allow', '["shell(ls)"]').permissions, {
    allow: ['shell(ls)'],
  })
  assert.deepEqual(unsetSetting(config, 'model.name', 'c'), { agent: 'offline', model: {} })
  const later = { ...config, later: { kept: true } }
  assert.equal(getSetting(later, 'later.kept'), true)
  assert.deepEqual(unsetSetting(later, 'later', 'c'), config)
})

test('a value that looks like JSON is text where text is wanted, and a name may have dots in it', () => {
  assert.deepEqual(setSetting({}, 'model.name', '4'), { model: { name: '4' } })
  assert.deepEqual(setSetting({}, 'agent', '"claude"'), { agent: 'claude' })
  const priced = setSetting({}, 'prices.gpt-4.1', '{"input": 2, "output": 8}')
  assert.deepEqual(priced, { prices: { 'gpt-4.1': { input: 2, output: 8 } } })
  const dearer = setSetting(priced, 'prices.gpt-4.1.output', '9')
  assert.deepEqual(dearer, { prices: { 'gpt-4.1': { input: 2, output: 9 } } })
  assert.equal(getSetting(dearer, 'prices.gpt-4.1.output'), 9)
  assert.deepEqual(setSetting({}, 'mcpServers.my.url', 'http://127.0.0.1:1/'), {
    mcpServers: { my: { url: 'http://127.0.0.1:1/' } },
  })
})

test('a name that is no setting is refused with the nearest, and a wrong value with what is wanted', () => {
  for (const [name, value, told] of [
    ['modle.name', 'x', 'There is no setting "modle.name". Did you mean model.name? Nothing'],
    ['model.nmae', 'x', 'Did you mean model.name?'],
    ['redaction.everything', 'x', 'There are redaction.persist. Nothing was changed.'],
    ['nonsense.foo', '3', 'There are agent, agents, model, titles, permissions, '],
    ['baseURL', 'x', 'Did you mean model.baseUrl?'],
    ['hooks.preTool', '[]', 'Did you mean hooks.preToolUse?'],
    ['prices.m.inptu', '1', 'wants an object in JSON with input, output, cacheRead, not 1.'],
    ['inptu', '1', 'Did you mean prices.<name>.input?'],
    ['features.sesionStore', 'false', 'Did you mean features.sessionStore? Nothing'],
    ['features.sessionStore', 'maybe', 'features.sessionStore wants true or false, not maybe.'],
    ['__proto__.polluted', 'x', 'There is no setting "__proto__.polluted"'],
    ['mcpServers.__proto__.command', 'x', 'There is no setting'],
    ['model..name', 'x', 'Did you mean model.name?'],
    [
      'model.provider',
      'nowhere',
      'wants one of openai-compatible, openai, anthropic, not nowhere.',
    ],
    ['model.contextWindow', '-1', 'model.contextWindow wants a whole number above 0, not -1.'],
    [
      'model.baseUrl',
      'here',
      'model.baseUrl wants an address, as http://127.0.0.1:8080/v1. Nothing',
    ],
    ['permissions.allow', 'shell', 'permissions.allow wants a list in JSON, each text, not shell.'],
    ['prices.m', '1', 'prices.m wants an object in JSON with input, output, cacheRead, not 1.'],
    ['prices.m.input', '1', 'prices.m.output wants a number. Nothing was changed. Set what'],
  ] as const) {
    assert.throws(
      () => setSetting({}, name, value),
      (error) => error instanceof BadSetting && error.message.includes(told),
      `${name} ${value}`,
    )
  }
  assert.throws(() => getSetting({}, 'modle'), BadSetting)
  assert.throws(() => unsetSetting({}, 'modle', 'c'), BadSetting)
})

test('names that are no settings are found wherever they stand, and free names are none', () => {
  const config = {
    modle: { name: 'x' },
    titles: { by: 'words', bye: 1 },
    model: { name: 'x', temprature: 1 },
    hooks: { preToolUse: [{ command: 'c', timeout: 3 }] },
    mcpServers: { a: { command: 'c', comand: 'd', env: { ANY: 'v' } } },
    prices: { 'gpt-5': { input: 1, output: 2 } },
    agents: { mine: 'my-agent --acp' },
  }
  assert.deepEqual(unknownNames(config), [
    'modle',
    'titles.bye',
    'model.temprature',
    'hooks.preToolUse.timeout',
    'mcpServers.a.comand',
  ])
})

test('only extensions that are enabled are read, and they add hooks, servers and instructions', async () => {
  const fs = openMemory()
  const put = (path: string, text: string) =>
    fs.writeAtomic(path, encodeText(text), { durable: false })
  await put(CONFIG, JSON.stringify({ agent: 'offline', extensions: { enabled: ['one'] } }))
  await put(
    '.reprise/extensions/one/extension.json',
    JSON.stringify({
      agent: 'evil',
      permissions: { allow: ['shell'] },
      hooks: { preToolUse: [{ command: 'true' }] },
      mcpServers: { a: { command: 'x' } },
    }),
  )
  await put('.reprise/extensions/one/instructions.md', 'Be kind.')
  await put(
    '.reprise/extensions/two/extension.json',
    JSON.stringify({ hooks: { sessionEnd: [{ command: 'true' }] } }),
  )
  const { config, instructions } = await loadConfig(fs)
  assert.equal(config.agent, 'offline')
  assert.equal(config.permissions, undefined)
  assert.deepEqual(config.hooks, { preToolUse: [{ command: 'true' }] })
  assert.deepEqual(config.mcpServers, { a: { command: 'x' } })
  assert.deepEqual(instructions, ['Be kind.'])
})

test('an extension that is enabled and missing is an error, as is a name that leads elsewhere', async () => {
  for (const name of ['absent', '../outside']) {
    const fs = openMemory()
    await writeConfig(fs, { extensions: { enabled: [name] } })
    await assert.rejects(loadConfig(fs), BadConfig)
  }
})

test('only plugins of the Copilot CLI that are enabled are read, by what their manifests name', async () => {
  const home = await mkdtemp(join(tmpdir(), 'reprise-plugins-'))
  const put = async (path: string, value: unknown) => {
    const file = join(home, 'installed-plugins', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value))
  }
  try {
    await put('shop/tools/plugin.json', { name: 'tools', skills: ['own/'], agents: './agents' })
    await put('shop/tools/own/go/SKILL.md', '---\nname: go\ndescription: goes\n---\nGo.')
    await put('shop/tools/hooks.json', {
      version: 1,
      hooks: {
        preToolUse: [
          { type: 'command', bash: 'test -d "$PLUGIN_ROOT"', timeoutSec: 5, matcher: 'bash|edit' },
          { type: 'command', powershell: 'Get-Date' },
        ],
        errorOccurred: [{ type: 'command', bash: 'true' }],
      },
    })
    await put('shop/tools/.mcp.json', {
      mcpServers: { a: { command: '${CLAUDE_PLUGIN_ROOT}/run', args: ['x'] } },
    })
    await put('_direct/claude/.claude-plugin/plugin.json', {
      name: 'claude',
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] },
    })
    await put('_direct/off/plugin.json', { name: 'off' })
    await put('_direct/off/hooks.json', { hooks: { sessionEnd: [{ bash: 'true' }] } })
    await put('_direct/evil/plugin.json', { name: 'evil', skills: '../../..' })
    const fs = openMemory()
    const load = async (...enabled: string[]) => {
      await writeConfig(fs, { agent: 'offline', plugins: { enabled } })
      return (await loadConfig(fs, { COPILOT_HOME: home })).config
    }
    const folder = await realpath(join(home, 'installed-plugins/shop/tools'))
    const { hooks, mcpServers, skills, customAgents } = await load('tools@shop', 'claude')
    const roots = (root: string) => ({
      PLUGIN_ROOT: root,
      COPILOT_PLUGIN_ROOT: root,
      CLAUDE_PLUGIN_ROOT: root,
    })
    const other = await realpath(join(home, 'installed-plugins/_direct/claude'))
    assert.deepEqual(hooks, {
      preToolUse: [
        {
          command: 'test -d "$PLUGIN_ROOT"',
          env: roots(folder),
          timeoutSeconds: 5,
          tools: ['bash', 'edit'],
        },
        { command: 'true', env: roots(other), tools: ['Bash'] },
      ],
    })
    assert.deepEqual(mcpServers, { a: { command: `${folder}/run`, args: ['x'] } })
    assert.deepEqual(skills?.directories, [join(folder, 'own'), join(other, 'skills')])
    assert.deepEqual(customAgents?.directories, [join(folder, 'agents'), join(other, 'agents')])
    const [hook] = hooksOf({ hooks })
    assert.deepEqual(await hook?.run(input, AbortSignal.timeout(10_000)), {})
    for (const wrong of ['absent', '../tools', 'tools@other', 'evil'])
      await assert.rejects(load(wrong), BadConfig, wrong)
  } finally {
    await rm(home, { recursive: true })
  }
})

const input = {
  hookType: 'preToolUse' as const,
  sessionId: 's',
  cwd: '/',
  timestamp: 't',
  toolName: 'bash',
}
const never = new AbortController().signal
const run = (command: string, timeoutSeconds?: number) => {
  const [hook] = hooksOf({
    hooks: { preToolUse: [{ command, ...(timeoutSeconds !== undefined && { timeoutSeconds }) }] },
  })
  return hook!.run(input, never)
}

test('a hook command is given JSON and answers with JSON, text, or its exit code', async () => {
  assert.deepEqual(await run('cat > /dev/null'), {})
  assert.deepEqual(await run(`sed 's/.*"toolName":"\\([a-z]*\\)".*/tool \\1/'`), {
    note: 'tool bash',
  })
  assert.deepEqual(await run(`echo '{"deny":true,"reason":"no","note":"x","other":1}'`), {
    deny: true,
    reason: 'no',
    note: 'x',
  })
  assert.deepEqual(await run('echo why >&2; exit 2'), { deny: true, reason: 'why' })
  await assert.rejects(run('echo broken >&2; exit 1'), /ended with code 1: broken/)
})

test('a hook that takes too long is ended with all that it started', async () => {
  await assert.rejects(run('sleep 60 & sleep 60', 0.2), /took longer/)
})

test('the server of GitHub is one setting, off by itself, and yields to one of the same name', () => {
  const env = { GH_TOKEN: 'gh', OTHER: 'other' }
  assert.deepEqual(withGithub({}, env), {})
  assert.deepEqual(withGithub({ github: { mcp: 'read' } }, env).mcpServers, {
    github: {
      url: 'https://api.githubcopilot.com/mcp/readonly',
      headers: { Authorization: 'Bearer gh' },
    },
  })
  const own = { mcp: 'all', url: 'https://github.example/mcp', tokenEnv: 'OTHER' } as const
  assert.deepEqual(withGithub({ github: own }, env).mcpServers, {
    github: { url: 'https://github.example/mcp/', headers: { Authorization: 'Bearer other' } },
  })
  const mine = { github: { command: 'mine' } }
  assert.deepEqual(withGithub({ github: own, mcpServers: mine }, env).mcpServers, mine)
})
