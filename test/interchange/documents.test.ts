/** Agents that could not be run here: their files are made from their documents, and so are these expectations. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { AgentName } from '../../src/importers/convert/port.ts'
import { importAll } from '../../src/importers/import-all.ts'
import type { Came } from '../../src/importers/import.ts'
import { eventsOf, openHome, type Home } from '../support/engine.ts'
import { withstands } from './damage.ts'

async function bring(home: Home, agent: AgentName, root: string): Promise<string[]> {
  const all: Came[] = []
  const engine = home.engine()
  await importAll(engine, {
    agents: [agent],
    around: { env: {}, home: '/nowhere', root },
    now: () => new Date(),
    onCame: (came) => void all.push(came),
  })
  const [came] = all
  assert.equal(came?.outcome, 'imported', came?.why)
  await withstands(agent, root)
  return (await eventsOf(engine, came.sessions[0]!)).map(({ type, data }) => {
    const { content, toolName, result, success } = data as Record<string, unknown>
    const said = content ?? toolName ?? (result as { content?: string } | undefined)?.content
    return `${type}: ${String(said ?? '')}${success === false ? ' failed' : ''}`
  })
}

test('Cline: messages of the API, prompts without their wrapping, tokens from what was shown', async () => {
  await using home = await openHome()
  const folder = join(home.path, 'tasks/1767225600000')
  await mkdir(folder, { recursive: true })
  const history = [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<task>\nlist\n</task>' },
        {
          type: 'text',
          text: '<environment_details>\n# Current Working Directory (/w) Files\n</environment_details>',
        },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't', name: 'execute_command', input: { command: 'ls' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'a.txt' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'One file.' }] },
  ]
  await writeFile(join(folder, 'api_conversation_history.json'), JSON.stringify(history))
  const ui = [
    {
      ts: 1767225600000,
      type: 'say',
      say: 'api_req_started',
      text: '{"tokensIn":5,"tokensOut":6}',
    },
  ]
  await writeFile(join(folder, 'ui_messages.json'), JSON.stringify(ui))
  assert.deepEqual(await bring(home, 'cline', join(home.path, 'tasks')), [
    'session.start: ',
    'user.message: list',
    'assistant.message: ',
    'tool.execution_start: execute_command',
    'session.usage_record: ',
    'tool.execution_complete: a.txt',
    'assistant.message: One file.',
  ])
})

test('Aider: Markdown, with prompts, notes and answers told apart', async () => {
  await using home = await openHome()
  const path = join(home.path, '.aider.chat.history.md')
  await writeFile(
    path,
    '# aider chat started at 2026-01-01 10:00:00\n\n> Model: x\n\n#### add a test\n#### please\n\nHere it is.\n\n```js\n1\n```\n\n> Applied edit to a.js\n',
  )
  assert.deepEqual(await bring(home, 'aider', home.path), [
    'session.start: ',
    'session.info: ',
    'user.message: add a test\nplease',
    'assistant.message: Here it is.\n\n```js\n1\n```',
    'session.info: ',
  ])
})

test('Goose: rows of its database, calls and responses', async () => {
  await using home = await openHome()
  const root = join(home.path, 'goose')
  await mkdir(root)
  const db = new DatabaseSync(join(root, 'sessions.db'))
  db.exec(
    'CREATE TABLE sessions(id TEXT, description TEXT, working_dir TEXT, created_at TEXT, updated_at TEXT)',
  )
  db.exec(
    'CREATE TABLE messages(session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER)',
  )
  db.prepare('INSERT INTO sessions VALUES (?,?,?,?,?)').run(
    's1',
    'List',
    '/w',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z',
  )
  const put = db.prepare('INSERT INTO messages VALUES (?,?,?,?)')
  put.run('s1', 'user', '[{"type":"text","text":"list"}]', 1767225600)
  put.run(
    's1',
    'assistant',
    '[{"type":"toolRequest","id":"r","toolCall":{"status":"success","value":{"name":"shell","arguments":{"command":"ls"}}}}]',
    1767225601,
  )
  put.run(
    's1',
    'user',
    '[{"type":"toolResponse","id":"r","toolResult":{"status":"success","value":[{"type":"text","text":"a.txt"}]}}]',
    1767225602,
  )
  put.run('s1', 'assistant', '[{"type":"text","text":"One file."}]', 1767225603)
  db.close()
  assert.deepEqual(await bring(home, 'goose', root), [
    'session.start: ',
    'user.message: list',
    'assistant.message: ',
    'tool.execution_start: shell',
    'tool.execution_complete: a.txt',
    'assistant.message: One file.',
  ])
})

test('Cursor: bubbles in the order of their conversation, with the folder of its workspace', async () => {
  await using home = await openHome()
  const root = join(home.path, 'User')
  await mkdir(join(root, 'globalStorage'), { recursive: true })
  const db = new DatabaseSync(join(root, 'globalStorage/state.vscdb'))
  db.exec('CREATE TABLE cursorDiskKV(key TEXT, value BLOB)')
  const put = (key: string, value: object) =>
    db.prepare('INSERT INTO cursorDiskKV VALUES (?,?)').run(key, JSON.stringify(value))
  put('bubbleId:c:b2', {
    type: 2,
    text: 'I look.',
    toolFormerData: {
      name: 'list_dir',
      rawArgs: '{"path":"."}',
      result: 'a.txt',
      status: 'completed',
    },
  })
  put('bubbleId:c:b1', { type: 1, text: 'list' })
  put('composerData:c', {
    name: 'List',
    createdAt: 1767225600000,
    fullConversationHeadersOnly: [
      { bubbleId: 'b1', type: 1 },
      { bubbleId: 'b2', type: 2 },
    ],
  })
  db.close()
  assert.deepEqual(await bring(home, 'cursor', root), [
    'session.start: ',
    'user.message: list',
    'assistant.message: I look.',
    'tool.execution_start: list_dir',
    'tool.execution_complete: a.txt',
  ])
})
