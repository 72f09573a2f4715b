import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import { encodeText } from '../lib/bytes.ts'
import { BadConfig, parseConfig } from './config-file.ts'
import { hooksOf } from './hook-commands.ts'
import { CONFIG, loadConfig, readConfig, writeConfig } from './load.ts'
import { getSetting, setSetting, unsetSetting } from './settings.ts'

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
  const config = setSetting({ agent: 'offline' }, 'model.name', 'gpt', 'c')
  assert.deepEqual(config, { agent: 'offline', model: { name: 'gpt' } })
  assert.equal(getSetting(config, 'model.name'), 'gpt')
  assert.equal(getSetting(config, 'model.none.deep'), undefined)
  assert.deepEqual(setSetting(config, 'permissions.allow', '["shell(ls)"]', 'c').permissions, {
    allow: ['shell(ls)'],
  })
  assert.deepEqual(unsetSetting(config, 'model.name', 'c'), { agent: 'offline', model: {} })
  assert.throws(() => setSetting(config, 'model.provider', 'nowhere', 'c'), BadConfig)
  assert.throws(() => setSetting(config, '__proto__.polluted', 'x', 'c'), TypeError)
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
