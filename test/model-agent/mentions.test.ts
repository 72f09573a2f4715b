/** Files that a message names reach the model, and stay what they were when they were named. */
import assert from 'node:assert/strict'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { converse } from '../support/engine.ts'
import { dataOf, openPlace, spoken, type EngineMore } from './place.ts'
import { createPastes, pastedText } from '../../src/surfaces/tui/editor/paste.ts'
import { rulesPolicy, denialBy } from '../../src/engine/turn/permission-rules.ts'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function ask(prompt: string, options: EngineMore = {}) {
  const place = await openPlace(() => ({ text: 'done' }))
  await writeFile(join(place.cwd, 'notes.txt'), 'one\ntwo\nthree\nfour\n')
  await writeFile(join(place.cwd, 'shot.png'), Buffer.from(PNG, 'base64'))
  await writeFile(join(place.cwd, 'secret.env'), 'KEY=1')
  await mkdir(join(place.cwd, 'src'))
  await writeFile(join(place.cwd, 'src/a.ts'), 'a')
  const outside = join(place.home.path, 'outside.md')
  await writeFile(outside, 'from elsewhere')
  await symlink(outside, join(place.cwd, 'link.md'))
  const engine = place.engine({}, options)
  const { id } = await engine.create({ cwd: place.cwd })
  await converse(engine, id, { prompt: prompt.replace('OUTSIDE', outside) })
  return Object.assign(place, { id, outside, first: engine })
}

/** What the user says in the last request, as one text. */
const said = (body: Readonly<Record<string, unknown>> | undefined): string =>
  spoken(body).findLast((line) => line.startsWith('user: ')) ?? ''

test('the text of a file goes along, whole or some lines of it, and is recorded as the Copilot CLI does', async () => {
  await using place = await ask('read @notes.txt:2-3, then @src and @nobody')
  const path = join(place.cwd, 'notes.txt')
  const transformedContent =
    'read @notes.txt:2-3, then @src and @nobody\n\n<attached path="notes.txt" lines="2-3">\ntwo\nthree\n</attached>\n\n<attached path="src" type="folder">\na.ts\n</attached>'
  const [message] = await dataOf(place.first, place.id, 'user.message')
  assert.deepEqual(
    [message?.content, message?.transformedContent, message?.attachments],
    [
      'read @notes.txt:2-3, then @src and @nobody',
      transformedContent,
      [
        {
          type: 'file',
          path,
          displayName: 'notes.txt',
          lineRange: { start: 2, end: 3 },
          taggedFilesEntry: `* ${path} (4 lines)`,
        },
        { type: 'directory', path: join(place.cwd, 'src'), displayName: 'src' },
      ],
    ],
  )
  assert.ok(said(place.server.requests[0]?.body).includes(JSON.stringify(transformedContent)))
})

test('what was named is given again as it was, after the file changed and the session was resumed', async () => {
  await using place = await ask('read @notes.txt and look at @shot.png')
  await place.first.stop()
  await writeFile(join(place.cwd, 'notes.txt'), 'other words')
  await rm(join(place.cwd, 'shot.png'))
  await converse(place.engine(), place.id, { prompt: 'again' })
  const [before, after] = place.server.requests.map(({ body }) => body['messages'] as unknown[])
  assert.deepEqual(after?.slice(0, 2), before)
  assert.ok(JSON.stringify(before).includes('one\\ntwo\\nthree'))
})

test('a picture goes along as a picture', async () => {
  await using place = await ask('what is on @shot.png?')
  assert.ok(said(place.server.requests[0]?.body).includes(`data:image/png;base64,${PNG}`))
})

test('outside of the project nothing is read unless it is allowed, links included', async () => {
  const asks = { policy: () => 'ask' as const }
  for (const prompt of ['read @OUTSIDE', 'read @link.md']) {
    await using place = await ask(prompt, asks)
    const text = said(place.server.requests[0]?.body)
    assert.ok(!text.includes('from elsewhere'))
    assert.ok(text.includes('Not read: it lies outside of the project'))
  }
  await using allowed = await ask('read @OUTSIDE')
  assert.ok(said(allowed.server.requests[0]?.body).includes('from elsewhere'))
})

test('what a rule denies is not read, inside of the project too', async () => {
  const rules = { deny: ['read(*.env)'] }
  await using place = await ask('read @secret.env and @notes.txt', {
    policy: rulesPolicy(rules, () => ({ kind: 'allow', by: 'policy' })),
    denied: denialBy(rules),
  })
  const text = said(place.server.requests[0]?.body)
  assert.ok(!text.includes('KEY=1'))
  assert.ok(text.includes('three'))
})

const pasteLabel = (label: string | undefined): string => {
  assert.ok(label !== undefined)
  return label
}

test('a long paste of the terminal reaches the model whole, with line ends, though nothing else outside may be read', async () => {
  await using place = await openPlace(() => ({ text: 'done' }))
  const engine = place.engine({}, { policy: () => 'ask' })
  const { id } = await engine.create({ cwd: place.cwd })
  const pastes = createPastes(() => 'pasted-1.txt')
  const lines = Array.from({ length: 9000 }, (_, at) => `line ${at} of the log`)
  const typed = pastedText(`\x1b[200~${lines.join('\r')}\x1b[201~`) ?? ''
  const label = pasteLabel(pastes.keep(typed))
  await converse(engine, id, await pastes.attach(engine, id, `why ${label}?`))
  const sent = said(place.server.requests[0]?.body)
  assert.ok(sent.includes(JSON.stringify(lines.join('\n')).slice(1, -1)), sent.slice(0, 300))
})

test('of a paste beyond what a model takes the head and the tail are given, and what was left out is counted', async () => {
  await using place = await openPlace(() => ({ text: 'done' }))
  const engine = place.engine({}, { policy: () => 'ask' })
  const { id } = await engine.create({ cwd: place.cwd })
  const pastes = createPastes(() => 'pasted-1.txt')
  const label = pasteLabel(pastes.keep(`begin ${'word '.repeat(500_000)}end`))
  await converse(engine, id, await pastes.attach(engine, id, label))
  const sent = said(place.server.requests[0]?.body)
  assert.match(sent, /begin word[^]*… \d+ characters left out …[^]*word end/)
})

test('a link in the folder of a session opens nothing outside of it', async () => {
  await using place = await openPlace(() => ({ text: 'done' }))
  const engine = place.engine({}, { policy: () => 'ask' })
  const { id } = await engine.create({ cwd: place.cwd })
  const session = await engine.open(id)
  await session.save()
  const secret = join(place.home.path, 'secret.txt')
  await writeFile(secret, 'from elsewhere')
  const { path: folder } = await session.metadata()
  await mkdir(join(folder, 'files'), { recursive: true })
  await symlink(secret, join(folder, 'files', 'pasted-1.txt'))
  const attachment = {
    type: 'file' as const,
    path: join(folder, 'files', 'pasted-1.txt'),
    displayName: 'pasted-1.txt',
  }
  await converse(engine, id, { prompt: 'see', attachments: [attachment] })
  assert.ok(!said(place.server.requests[0]?.body).includes('from elsewhere'))
})
