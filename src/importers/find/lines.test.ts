import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isUnreadable } from '../found.ts'
import { claude, codex, gemini, pi, qwen } from './lines.ts'

const home = '/h'

test('an agent that was told to keep its sessions elsewhere is looked for there', () => {
  const roots = (finder: typeof claude, env: NodeJS.ProcessEnv) => finder.roots({ env, home })[0]
  assert.equal(roots(claude, { CLAUDE_CONFIG_DIR: '/c' }), '/c/projects')
  assert.equal(roots(codex, { CODEX_HOME: '/c' }), '/c/sessions')
  assert.equal(roots(gemini, {}), '/h/.gemini/tmp')
  assert.equal(roots(gemini, { GEMINI_CLI_HOME: '/g' }), '/g/.gemini/tmp')
  assert.equal(roots(pi, { PI_CODING_AGENT_DIR: '/p' }), '/p/sessions')
  assert.equal(roots(qwen, {}), '/h/.qwen/projects')
  assert.equal(roots(qwen, { QWEN_HOME: '/q' }), '/q/projects')
  assert.equal(roots(qwen, { QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/r' }), '/r/projects')
})

test('sessions of Qwen Code that were archived there are found, too', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'reprise-qwen-'))
  t.after(() => rm(root, { recursive: true }))
  const chats = join(root, 'p', 'chats')
  await mkdir(join(chats, 'archive'), { recursive: true })
  for (const name of ['now.jsonl', 'archive/then.jsonl', 'archive/note.txt'])
    await writeFile(join(chats, name), '{}\n')
  const found: string[] = []
  for await (const each of qwen.find({ env: {}, home, root }))
    if (!isUnreadable(each)) found.push(each.nativeId)
  assert.deepEqual(found, ['then', 'now'])
})
