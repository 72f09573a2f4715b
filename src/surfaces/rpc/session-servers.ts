/**
 * The tool servers of one session. They outlive the agents that are made for it: what a client says later starts only
 * what is new, and ends only what is gone.
 */
import { isDeepStrictEqual } from 'node:util'
import type { McpServer, ServerRequests, ToolServers } from '../../agents/model/config.ts'
import { EngineError } from '../../engine/errors.ts'
import type { Notice } from '../../format/notice.ts'

type Servers = Readonly<Record<string, McpServer>>

export interface SessionServers {
  /** Those of the session with what is wanted now, made when there are none yet. */
  have(wanted: Servers, make: () => Promise<ToolServers>): Promise<ToolServers>
  /** Refuses while nobody with tool servers answers. */
  require(): ToolServers
  /** In place of what the clients said. */
  replace(wanted: Servers): void
  /** A turn that waits for servers goes on without those that are not there yet. */
  goOn(): boolean
  close(): Promise<void>
}

export function createSessionServers(
  tell: (notice: Notice) => void,
  requests: ServerRequests,
): SessionServers {
  let servers: ToolServers | undefined
  let said: Servers | undefined
  /** Set by hand, over what clients and configuration say. */
  let replaced: Servers | undefined
  return {
    async have(wanted, make) {
      if (servers === undefined) {
        servers = await make()
        servers.listen(tell)
        servers.serve(requests)
      } else if (replaced === undefined && !isDeepStrictEqual(wanted, said))
        servers.configure(wanted)
      said = wanted
      return servers
    },
    require() {
      if (servers === undefined)
        throw new EngineError('invalid', 'The agent of this session has no tool servers of ours.')
      return servers
    },
    replace(wanted) {
      replaced = wanted
      servers?.configure(wanted)
    },
    goOn: () => servers?.goOn() ?? false,
    close: async () => servers?.close(),
  }
}
