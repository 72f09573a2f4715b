/**
 * Starts an extension: a process of its own that speaks with this server over its standard input and output, with the
 * Copilot SDK at hand under its usual name. Variables that look secret stay here; it may ask for them.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProcess } from '../agents/acp/agent-process.ts'
import { withheldVariables } from '../lib/child-environment.ts'
import type { ServerParts } from '../surfaces/rpc/parts.ts'

/** As long as the Copilot CLI lets one take to end. */
const GRACE_MS = 5000

export const startExtension =
  (home: string): ServerParts['startExtension'] =>
  async ({ path, sessionId, cwd, sdkPath }) => {
    const own = programFolder()
    const hasSdk = sdkPath !== undefined && existsSync(join(sdkPath, 'extension.js'))
    const withheld = withheldVariables()
    const { child, ended, lastWords, stop } = startProcess(
      {
        command: process.execPath,
        args: ['--disable-warning=ExperimentalWarning', join(own, 'extension-bootstrap.js')],
        env: {
          ...Object.fromEntries(withheld.map((name) => [name, undefined])),
          COPILOT_HOME: home,
          COPILOT_SDK_PATH: hasSdk ? sdkPath : join(own, 'copilot-sdk'),
          COPILOT_EXTENSION_PARENT_PID: String(process.pid),
          EXTENSION_PATH: path,
          SESSION_ID: sessionId,
        },
      },
      cwd,
      GRACE_MS,
    )
    return { input: child.stdout, output: child.stdin, pid: child.pid, ended, lastWords, stop }
  }

/** Where the built program lies; this file is in one of its chunks. */
function programFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  return existsSync(join(here, 'extension-bootstrap.js')) ? here : dirname(here)
}
