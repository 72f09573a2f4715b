/** A process of its own that sends one message with a model agent, for tests that kill it. */
import { modelAgent } from '../../src/agents/model/model.ts'
import type { Provider } from '../../src/agents/model/config.ts'
import { createEngine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { converse } from '../support/engine.ts'

const [home = '', session = '', cwd = '', baseUrl = '', provider = '', model = ''] =
  process.argv.slice(2)

const engine = createEngine({
  cwd: process.cwd(),
  fs: openDisk(home),
  agent: modelAgent({ provider: provider as Provider, baseUrl, model }),
  policy: () => ({ kind: 'allow', by: 'policy' }),
})
const id = session as SessionId
await engine.create({ sessionId: id, cwd })
await (await engine.open(id)).save()
void (async () => {
  for await (const item of (await engine.open(id)).follow()) {
    if (item.kind !== 'notice' || item.notice.type !== 'tool.execution_partial_result') continue
    const { partialOutput } = item.notice.data
    if (/^\d+\n$/.test(partialOutput)) process.send?.({ told: partialOutput })
  }
})()
await converse(engine, id, { prompt: 'go' })
