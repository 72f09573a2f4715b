/** What redaction adds to reading events: texts without a secret and with much that looks like one, beside JSON.parse. */
import { cleanEvents } from '../../test/support/clean-events.ts'
import { createRedactor } from '../../src/lib/redact/redact.ts'
import type { Case } from '../case.ts'
import type { Sample } from '../measure.ts'

const EVENTS = 4000

const lines = () => cleanEvents(41, EVENTS).map((content) => JSON.stringify({ data: { content } }))

const spent = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

export async function redact(): Promise<Sample> {
  const { redactJson } = createRedactor({ key: new Uint8Array(32).fill(7) })
  const events = lines().map((line) => JSON.parse(line) as unknown)
  for (const event of events.slice(0, 500)) redactJson(event)
  const since = process.cpuUsage()
  for (const event of events) redactJson(event)
  return { ms: spent(since) }
}

export async function parse(): Promise<Sample> {
  const all = lines()
  const since = process.cpuUsage()
  for (const line of all) JSON.stringify(JSON.parse(line))
  return { ms: spent(since) }
}

export const redactCase: Case = {
  name: 'redact',
  async figures({ measure }) {
    const { ours, bare } = await measure(7, {
      ours: { module: 'cases/redact', probe: 'redact', args: {} },
      bare: { module: 'cases/redact', probe: 'parse', args: {} },
    })
    return [
      {
        name: 'redact 4,000 events that hold no secret',
        unit: 'ms',
        target: { times: 9 },
        measured: ours('ms'),
        limit: { name: 'JSON.parse and stringify of the same', measured: bare('ms') },
      },
    ]
  },
}
