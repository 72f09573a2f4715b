/** An editor that loads a session of 10,000 updates: from its request to the answer, every update on the way. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { SessionId } from '../../src/format/ids.ts'
import { createAsks } from '../../src/surfaces/acp/asks.ts'
import { createAcpServer } from '../../src/surfaces/acp/serve.ts'
import { createSwitchboard } from '../../src/surfaces/acp/switchboard.ts'
import type { Case } from '../case.ts'
import { logOf } from '../data.ts'
import { engineAt } from '../engine-at.ts'
import { historyLines, seededBy } from '../history.ts'
import type { Sample, Trial } from '../measure.ts'
import { timedAsync } from '../timed.ts'

const UPDATES_PER_TURN = 5
const TURNS = 10_000 / UPDATES_PER_TURN

export async function load({ home, id }: { home: string; id: SessionId }): Promise<Sample> {
  const engine = engineAt(home)
  const asks = createAsks({ allowAll: false })
  const switchboard = createSwitchboard()
  const [input, output] = [new PassThrough(), new PassThrough()]
  void createAcpServer({ engine, asks, switchboard, version: '0.0.0', cwd: '/' }).serve({
    input,
    output,
  })
  const say = (message: object) =>
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  say({ id: 0, method: 'initialize', params: { protocolVersion: 1 } })
  const answered = Promise.withResolvers<void>()
  let lines = 0
  // Whole lines come: what is written is what is read.
  output.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
    if (chunk.includes('{"jsonrpc":"2.0","id":1,')) answered.resolve()
  })
  const { ms } = await timedAsync(() => {
    say({ id: 1, method: 'session/load', params: { sessionId: id, cwd: '/', mcpServers: [] } })
    return answered.promise
  })
  return { ms, lines }
}

export const acpCase: Case = {
  name: 'acp',
  async figures({ scratch, measure }) {
    const seeded = seededBy(TURNS)
    const id = seeded.uuid() as SessionId
    const home = join(scratch, 'acp')
    const log = logOf(home, id)
    const project = { cwd: '/', repository: 'owner/project', branch: 'main' }
    const shape = { turns: TURNS, toolOutput: 900, speech: 170 }
    mkdirSync(dirname(log), { recursive: true })
    writeFileSync(log, [...historyLines(seeded, id, project, shape)].join(''))
    const loading: Trial = { module: 'cases/acp', probe: 'load', args: { home, id } }
    const { loaded, parse } = await measure(7, {
      loaded: loading,
      parse: { module: 'limits', probe: 'parseLines', args: { file: log } },
    })
    return [
      {
        name: 'ACP load of 10,000 updates',
        unit: 'ms',
        target: { atMost: 400 },
        measured: loaded('ms'),
        limit: { name: 'JSON.parse of every line', measured: parse('ms') },
      },
    ]
  },
}
