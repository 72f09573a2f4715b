/**
 * Sessions that are started from afar beside a server of others: in an engine of their own, answered by whom the
 * configuration names as in a terminal, and not by what the server's clients bring. Loaded after the server's start.
 */
import type { Engine } from '../engine/engine.ts'
import { openDisk } from '../fs/disk.ts'
import { defined } from '../lib/defined.ts'
import type { Host } from '../surfaces/cli/command.ts'

type Given = Pick<Parameters<Host['serveRpc']>[0], 'cwd' | 'launch' | 'agent' | 'model' | 'signal'>

export function kickstartsBeside(given: Given, home: string): AsyncDisposable {
  const { cwd, launch, agent, model, signal } = given
  const ended = new AbortController()
  let engine: Engine | undefined
  const take = async (): Promise<void> => {
    const [{ followKickstarts }, { openConfiguredEngine }] = await Promise.all([
      import('./follow-kickstarts.ts'),
      import('./open-engine.ts'),
    ])
    const whose = { clientName: 'reprise-server', ...defined({ agent, model }) }
    const open = () => (engine = openConfiguredEngine({ home, cwd, launch, ...whose }))
    const until = AbortSignal.any([signal, ended.signal])
    await followKickstarts({ fs: openDisk(home), open }, process.env, until)
  }
  void take().catch(() => {}) // the settings say what is wrong with them
  return {
    async [Symbol.asyncDispose]() {
      ended.abort()
      await engine?.stop()
    },
  }
}
