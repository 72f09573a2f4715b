/**
 * The public conformance suite of Durable Streams against the built `control serve`, on both engines. It is installed
 * into a temporary folder, with a runner of its own, and speaks through a proxy that adds a token.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeToken, serveProgram } from '../control/program.ts'
import { startPostgres } from '../support/postgres.ts'
import { cannotPostgres } from '../support/postgres-programs.ts'
import type { Checks } from './checks.ts'
import { npmInstall } from './install.ts'

const PACKAGES = { '@durable-streams/server-conformance-tests': '0.3.6', vitest: '4.1.12' }
/** What the reference server of the protocol passes of 338. */
const REFERENCE = 324
const PREFIX = '/streams'
const BUDGET_MS = 900_000

export async function checkDurableStreams(checks: Checks): Promise<void> {
  const suite = await installSuite()
  await checks.check('the conformance suite on SQLite', () => conforms(checks, suite, []))
  if (cannotPostgres !== false) return checks.note(`on PostgreSQL not checked: ${cannotPostgres}`)
  await using server = await startPostgres()
  const database = ['--database', await server.database()]
  await checks.check('the conformance suite on PostgreSQL', () => conforms(checks, suite, database))
}

async function installSuite(): Promise<string> {
  const versions = Object.values(PACKAGES).join('-')
  const folder = join(tmpdir(), `reprise-interop-streams-${versions}`)
  const done = join(folder, 'complete')
  if (existsSync(done)) return folder
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const wanted = { private: true, type: 'module', dependencies: PACKAGES }
  await writeFile(join(folder, 'package.json'), JSON.stringify(wanted))
  await writeFile(
    join(folder, 'streams.test.mjs'),
    `import { runConformanceTests } from '@durable-streams/server-conformance-tests'
runConformanceTests({ baseUrl: process.env.STREAMS_URL })
`,
  )
  await npmInstall(folder)
  await writeFile(done, '')
  return folder
}

/** On the database that is named; without one, on SQLite. */
async function conforms(checks: Checks, suite: string, database: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-interop-streams-'))
  const env = { ...process.env, REPRISE_HOME: folder }
  const place = database.length > 0 ? database : ['--data', join(folder, 'data')]
  const node = await serveProgram(place, env, 0)
  try {
    await using proxy = await startProxy(node.url, await makeToken(place, env))
    const results = await runSuite(suite, proxy.url, join(folder, 'results.json'))
    const named = (status: string) =>
      results.filter((each) => each.status === status).map(({ fullName }) => fullName)
    const passed = named('passed').length
    checks.note(`${passed} of ${results.length} cases passed`)
    for (const status of ['skipped', 'pending', 'todo'])
      for (const name of named(status)) checks.note(`${status}: ${name}`)
    assert.deepEqual(named('failed'), [])
    assert.ok(passed >= REFERENCE, `${passed} of ${results.length}`)
  } finally {
    await node.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

type Case = { readonly fullName: string; readonly status: string }

async function runSuite(suite: string, url: string, file: string): Promise<readonly Case[]> {
  const runner = join(suite, 'node_modules/vitest/vitest.mjs')
  // Cases of time-outs of two seconds are tried again: other work on the machine may take as long.
  const words = ['run', 'streams.test.mjs', '--testTimeout=90000', '--retry=3', '--reporter=json']
  const child = spawn(process.execPath, [runner, ...words, `--outputFile=${file}`], {
    cwd: suite,
    env: { ...process.env, STREAMS_URL: url },
    stdio: 'ignore',
    timeout: BUDGET_MS,
  })
  // It ends with 1 when a case failed: which ones stands in its file.
  await once(child, 'exit')
  const { testResults } = JSON.parse(await readFile(file, 'utf8')) as {
    testResults: { assertionResults: Case[] }[]
  }
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}

/** Everything as it comes, at the place where streams are, with the token of one who may do it. */
async function startProxy(
  target: string,
  token: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { host, hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: under = '/', headers } = incoming
    const path = `${PREFIX}${under}`
    const source = headers['stream-forked-from']
    const passed = {
      ...headers,
      host,
      authorization: `Bearer ${token}`,
      ...(source !== undefined && { 'stream-forked-from': `${PREFIX}${String(source)}` }),
    }
    const asked = ask({ hostname, port, method, path, headers: passed }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    asked.on('error', () => outgoing.destroy())
    outgoing.on('close', () => asked.destroy())
    incoming.pipe(asked)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
