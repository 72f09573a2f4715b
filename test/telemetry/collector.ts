/** An OTLP collector on the loopback that remembers what it was sent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  readonly name: string
  readonly spanId: string
  readonly traceId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, string | number>>
  readonly isError: boolean
}

export type Metric = {
  readonly name: string
  /** How often it was measured, or the sum of what was counted, for each set of attributes. */
  readonly points: readonly {
    readonly value: number
    readonly attributes: Readonly<Record<string, string | number>>
  }[]
}

export interface Collector extends AsyncDisposable {
  readonly endpoint: string
  /** Everything that came, byte for byte. */
  readonly bodies: readonly string[]
  spans(): Received[]
  /** As they were last sent. */
  metrics(): Metric[]
}

type Attribute = {
  key: string
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number }
}
type Point = { attributes: Attribute[]; count?: number; asDouble?: number; asInt?: number | string }

export async function startCollector(): Promise<Collector> {
  const bodies: { readonly url: string; readonly text: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push({ url: request.url ?? '', text: Buffer.concat(chunks).toString() })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sent = (url: string) =>
    bodies.filter((body) => body.url === url).map(({ text }) => JSON.parse(text) as never)
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get bodies() {
      return bodies.map(({ text }) => text)
    },
    spans: () => sent('/v1/traces').flatMap(spansIn),
    metrics: () => metricsIn(sent('/v1/metrics').at(-1) ?? { resourceMetrics: [] }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type SentSpan = Omit<Received, 'attributes' | 'isError'> & {
  attributes: Attribute[]
  status?: { code?: number }
}

const spansIn = (body: { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }): Received[] =>
  body.resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, spanId, traceId, parentSpanId, attributes, status }) => ({
        name,
        spanId,
        traceId,
        parentSpanId: parentSpanId || undefined,
        attributes: valuesOf(attributes),
        isError: status?.code === 2,
      })),
    ),
  )

type SentMetric = {
  name: string
  histogram?: { dataPoints: Point[] }
  sum?: { dataPoints: Point[] }
}

const metricsIn = (body: {
  resourceMetrics: { scopeMetrics: { metrics: SentMetric[] }[] }[]
}): Metric[] =>
  body.resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.map(({ name, histogram, sum }) => ({
        name,
        points: (histogram ?? sum)!.dataPoints.map((point) => ({
          value: Number(point.asInt ?? point.asDouble ?? point.count),
          attributes: valuesOf(point.attributes),
        })),
      })),
    ),
  )

const valuesOf = (attributes: Attribute[]): Record<string, string | number> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  )
