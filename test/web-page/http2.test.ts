/** The page over TLS: the browser speaks HTTP/2, and has more streams than HTTP/1.1 has connections. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { converse } from '../support/engine.ts'
import { makeCertificate } from '../web/certificate.ts'
import { inBrowser, openBrowser, sees } from './browser.ts'

const STREAMS = 12

test(
  'over TLS the page speaks HTTP/2, and streams do not wait for each other',
  inBrowser,
  async () => {
    await using place = await openBrowser(undefined, {}, { tls: makeCertificate('127.0.0.1') })
    const { id } = await place.engine.create({ cwd: place.project })
    await converse(place.engine, id, { prompt: 'first' })
    const first = await place.open(`#/s/${id}`)
    await sees(first, 'echo: first')
    const protocols = await first.evaluate(() =>
      performance
        .getEntriesByType('resource')
        // One that was broken off has none.
        .flatMap((entry) => (entry as PerformanceResourceTiming).nextHopProtocol || []),
    )
    assert.ok(protocols.length > 0)
    assert.deepEqual([...new Set(protocols)], ['h2'])
    // Over HTTP/1.1 a browser gives a host six connections, and the seventh stream waits for ever.
    await first.evaluate(
      ({ url, count }) =>
        Promise.all(
          Array.from({ length: count }, () => {
            const stream = new EventSource(url)
            return new Promise((ready) => stream.addEventListener('ready', ready, { once: true }))
          }),
        ).then(() => true),
      { url: `/api/sessions/${id}/stream`, count: STREAMS },
    )
    await first.fill('[data-composer]', 'beside them')
    await first.press('[data-composer]', 'Enter')
    await sees(first, 'echo: beside them')
  },
)
