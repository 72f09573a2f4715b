/** A program that uses the library as it is published: the whole life of a session. It prints what it saw. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError, openDisk, openEngine, openMemory } from 'reprise'
import { recognise } from 'reprise/format'

const seen = {
  disk: await live('disk', openDisk(join(process.cwd(), 'sessions'))),
  memory: await live('memory', openMemory()),
  wrong: await Promise.all(wrongAgents().map(toldBy)),
  format: recognise({ type: 'x', id: '1', timestamp: 't', parentId: null, data: {} }).kind,
}
console.log(JSON.stringify(seen))

async function live(folder, fs) {
  const cwd = join(process.cwd(), folder)
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'notes.txt'), 'one\n')
  const contents = () => readFileSync(join(cwd, 'notes.txt'), 'utf8').trim()
  const engine = await openEngine({
    fs,
    trackFiles: true,
    policy: () => ({ kind: 'allow', by: 'policy' }),
  })
  const session = await engine.create({ name: 'first', cwd })
  const leaving = new AbortController()
  const followed = kindsOf(session.follow({ signal: leaving.signal }))
  await (
    await session.send({ prompt: 'run echo two > notes.txt' })
  ).ended
  await (
    await session.send({ prompt: 'read notes.txt' })
  ).ended

  const { events } = await session.events()
  const files = [contents()]
  await session.undo({ turns: 2, mode: 'conversation-and-files' })
  files.push(contents())
  await session.redo()
  files.push(contents())
  const back = (await session.events()).events

  const fork = await session.fork({ name: 'second' })
  const listed = (await engine.list()).map(({ name }) => name).sort()
  await engine.remove([fork.id])
  leaving.abort()
  const told = await followed
  await session.close()
  await session.resume()
  const transcript = []
  for await (const { kind } of session.transcript()) transcript.push(kind)
  const unknown = await engine.open('00000000-0000-4000-8000-000000000000')
  const missing = await unknown.resume().catch((cause) => cause)
  await engine.stop()
  return {
    files,
    types: events.map(({ type }) => type),
    back: back.filter(({ id: own }) => events.some((event) => event.id === own)).length,
    listed,
    told,
    transcript,
    missing: missing instanceof EngineError ? missing.code : String(missing),
  }
}

/** As programs without types may write them: what is yielded, or given in place of it. */
function wrongAgents() {
  const message = { type: 'assistant.message', data: { messageId: 'm', content: 'hi' } }
  const yielding = (item) =>
    async function* () {
      yield item
    }
  return [
    ...['hi', undefined, message, { draft: 'hi' }, { notice: { type: 'no.such' } }].map(yielding),
    async () => [{ draft: message }],
    undefined,
  ]
}

async function toldBy(run) {
  const engine = await openEngine({ fs: openMemory(), agent: { name: 'mine', run } })
  const session = await engine.create({ cwd: process.cwd() })
  const { error } = await (await session.send({ prompt: 'hi' })).ended
  await engine.stop()
  return error
}

async function kindsOf(items) {
  const kinds = new Set()
  for await (const { kind } of items) kinds.add(kind)
  return [...kinds].sort()
}
