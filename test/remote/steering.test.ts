/** What people do in a session from Mission Control, while it is open in a terminal of the built program. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startNode, type Client } from '../control/node.ts'
import { makePlace, type Place } from '../e2e/cli.ts'

type Fields = Readonly<Record<string, unknown>>
type Logged = { readonly type: string; readonly id: string; readonly data: Fields }

const logOf = (place: Place, id: string): readonly Logged[] =>
  readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Logged)

async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) {
    const found = await look()
    if (found !== undefined) return found
  }
  return assert.fail('it did not happen')
}

async function command(client: Client, id: string, kind: string, content: unknown) {
  const name = crypto.randomUUID()
  const wish = {
    id: name,
    kind,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }
  const { status, text } = await client.ask('POST', `/api/sessions/${id}/commands`, wish)
  assert.equal(status, 202, text)
  return until(async () => {
    const { body } = await client.ask('GET', `/api/sessions/${id}/commands`)
    const found = (
      body as { commands: { id: string; state: string; reason: string | null }[] }
    ).commands.find((each) => each.id === name)
    return found !== undefined && /applied|refused/.test(found.state) ? found : undefined
  })
}

test('a message, an answer and a refusal from afar', async () => {
  await using node = await startNode()
  using place = makePlace()
  const client = await node.person('ann')
  assert.equal((await place.run(['remote', 'login', node.url, '--token', client.token])).code, 0)
  assert.equal((await place.run(['config', 'set', 'control.mode', 'steer'])).code, 0)
  const id = await place.session('hello')
  const child = place.start(['--resume', id, '--plain'])
  try {
    await until(async () => {
      const { body } = await client.ask('GET', `/api/sessions/${id}`)
      return (body as { isSteerable: boolean }).isSteerable || undefined
    })
    assert.equal((await command(client, id, 'user_message', 'from afar')).state, 'applied')
    const message = logOf(place, id).find(({ data }) => data['content'] === 'from afar')
    assert.match(String(message?.data['source']), /^command-/)
    const who = { name: 'ann', surface: 'mission-control', machine: 'ann-laptop' }
    for (const word of Object.values(who))
      assert.ok(
        JSON.stringify(message?.data).includes(`"${word}"`),
        'it says who sent it, and from where',
      )

    await command(client, id, 'user_message', 'run touch made-from-afar')
    const asked = await until(() =>
      logOf(place, id).find(({ type }) => type === 'permission.requested'),
    )
    const promptId = String(asked.data['requestId'])
    const wide = await command(client, id, 'permission_response', {
      promptId,
      decision: 'allow-for-session',
    })
    assert.match(String(wide.reason), /allow more than once from afar/)
    const other = { promptId: 'no-such', decision: 'allow' }
    assert.equal((await command(client, id, 'permission_response', other)).state, 'refused')
  } finally {
    child.kill()
  }
})
