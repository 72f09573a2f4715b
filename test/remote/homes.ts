/** Homes that have joined one server, for tests over real processes. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, TestNode } from '../control/node.ts'
import type { Given, Place } from '../e2e/cli.ts'

export async function ok(place: Place, ...args: readonly string[]): Promise<string> {
  return okWith(place, {}, ...args)
}

export async function okWith(
  place: Place,
  given: Given,
  ...args: readonly string[]
): Promise<string> {
  const { code, stdout, stderr } = await place.run(args, given)
  assert.equal(code, 0, `reprise ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** The home joins the node; of which sessions a copy is kept. */
export async function joinNode(
  place: Place,
  node: Pick<TestNode, 'url'>,
  client: Client,
  mode: 'off' | 'export' | 'steer' = 'export',
): Promise<void> {
  await ok(place, 'remote', 'login', node.url, '--token', client.token)
  await ok(place, 'config', 'set', 'control.mode', mode)
}

export const logOf = (place: Place, id: string): readonly string[] =>
  readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')

/** The copy as the server gives it, line by line. */
export async function copyOf(client: Client, id: string): Promise<readonly string[]> {
  const { body, text } = await client.ask('GET', `/api/sessions/${id}`)
  const { stream } = (body ?? assert.fail(text)) as { stream: string }
  const { body: events } = await client.ask('GET', `${stream}?offset=-1`)
  return (events as unknown[]).map((event) => JSON.stringify(event))
}

export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) {
    const found = await look()
    if (found !== undefined) return found
  }
  return assert.fail('it did not happen')
}

/** The folder is a repository that is known by this name. */
export const inRepository = (cwd: string, name: string): void => {
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['remote', 'add', 'origin', `https://github.com/${name}.git`],
  ])
    execFileSync('git', args, { cwd, stdio: 'pipe' })
}
