/** A home, a project and a server of Reprise in a process of its own, for the real Copilot SDK as its client. */
import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CopilotClient,
  RuntimeConnection,
  type CopilotClientOptions,
  type CopilotSession,
  type SessionEvent,
} from '@github/copilot-sdk'
import { PROGRAM } from '../support/program.ts'

// Shared by the servers of one test file: without it each would compile the sources anew.
const cache = mkdtempSync(join(tmpdir(), 'reprise-rpc-cache-'))
process.on('exit', () => rmSync(cache, { recursive: true, force: true }))

export interface RpcPlace extends AsyncDisposable {
  readonly home: string
  readonly project: string
  /** A program that the SDK can start in place of the Copilot CLI. */
  readonly path: string
  readonly env: Record<string, string>
  /** Started by stdio, stopped at the end. */
  client(options?: Partial<CopilotClientOptions>, args?: readonly string[]): CopilotClient
  /** One that the SDK starts with a port. */
  tcpClient(connectionToken?: string, options?: Partial<CopilotClientOptions>): CopilotClient
  /** One that joins a server that is there. */
  join(
    port: number,
    connectionToken: string,
    options?: Partial<CopilotClientOptions>,
  ): CopilotClient
}

export function makeRpcPlace(): RpcPlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-rpc-')))
  const [home, project, path] = [join(base, 'home'), join(base, 'project'), join(base, 'reprise')]
  mkdirSync(project)
  writeFileSync(path, `#!/bin/sh\nexec '${PROGRAM}' "$@"\n`, {
    mode: 0o755,
  })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: base,
    XDG_CACHE_HOME: cache,
    REPRISE_AGENT: 'offline',
    NODE_NO_WARNINGS: '1',
  }
  const clients: CopilotClient[] = []
  const made = (options: CopilotClientOptions) => {
    const client = new CopilotClient({
      workingDirectory: project,
      baseDirectory: home,
      useLoggedInUser: false,
      ...options,
    })
    clients.push(client)
    return client
  }
  return {
    home,
    project,
    path,
    env,
    client: (options = {}, args = []) =>
      made({ connection: RuntimeConnection.forStdio({ path, args: [...args], env }), ...options }),
    tcpClient: (connectionToken, options = {}) =>
      made({
        ...options,
        connection: RuntimeConnection.forTcp({
          path,
          env,
          ...(connectionToken !== undefined && { connectionToken }),
        }),
      }),
    join(port, connectionToken, options = {}) {
      const connection = RuntimeConnection.forUri(`127.0.0.1:${port}`, { connectionToken })
      const client = new CopilotClient({ ...options, connection })
      clients.push(client)
      return client
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(clients.map((client) => client.forceStop()))
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Resolves with the first event of this type. */
export const nextEvent = (session: CopilotSession, type: string): Promise<SessionEvent> =>
  new Promise((resolve) => {
    const stop = session.on((event) => {
      if (event.type !== type) return
      stop()
      resolve(event)
    })
  })

export const portOf = (client: CopilotClient): number =>
  (client as unknown as { runtimePort: number }).runtimePort

/** A method that the SDK keeps to itself. */
export const ask = (client: CopilotClient, method: string, params: object): Promise<unknown> =>
  (
    client as unknown as {
      connection: { sendRequest(name: string, given: object): Promise<unknown> }
    }
  ).connection.sendRequest(method, params)
