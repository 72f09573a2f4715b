/**
 * Sends spans and metrics to an OTLP collector. Loaded only when one is configured. Nothing is registered globally, so
 * a program that embeds us keeps its own; nothing is detected, because the command line of a process may hold a prompt.
 * A collector that is away costs its spans, never a turn.
 */
import {
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type Counter,
  type Histogram,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { deferred } from '../lib/deferred.ts'
import { spanFile } from './span-file.ts'
import type { Attributes, CountName, Sink, SpanName } from '../lib/telemetry.ts'

type OtelOptions = {
  /** Where the collector is, without /v1/…; without it the variables of OpenTelemetry say it. */
  readonly endpoint?: string
  /** Spans go to this file, and nothing to a collector. */
  readonly file?: string
  readonly version: string
  /** The trace that this process is a part of. */
  readonly traceparent?: string | undefined
}

export interface Exporting extends Sink {
  /** Sends what waits. Gives up after a moment. */
  flush(): Promise<void>
}

const FLUSH_MS = 1_000

export function openOtel({ endpoint, file, version, traceparent }: OtelOptions): Exporting {
  const resource = resourceFromAttributes({ 'service.name': 'reprise', 'service.version': version })
  const to = (signal: string) =>
    endpoint === undefined ? {} : { url: `${endpoint.replace(/\/+$/, '')}/v1/${signal}` }
  const traces = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: file === undefined ? new OTLPTraceExporter(to('traces')) : spanFile(file),
      }),
    ],
  })
  const metrics = new MeterProvider({
    resource,
    readers:
      file === undefined
        ? [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(to('metrics')) })]
        : [],
  })
  const tracer = traces.getTracer('reprise', version)
  const meter = metrics.getMeter('reprise', version)
  const surroundings = new AsyncLocalStorageContextManager().enable()
  const root = rootOf(traceparent)
  const active = (): Context => {
    const now = surroundings.active()
    return now === ROOT_CONTEXT ? root : now
  }
  const durations = new Map<SpanName, Histogram>()
  const counters = new Map<CountName, Counter>()

  return {
    begin(name, attributes) {
      const parent = active()
      const span = tracer.startSpan(name, { attributes: told(attributes) }, parent)
      const inside = trace.setSpan(parent, span)
      const started = performance.now()
      return {
        within: (step) => surroundings.with(inside, step),
        end: (ending) => {
          span.setAttributes(told(ending))
          if (ending.outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
          let duration = durations.get(name)
          if (duration === undefined) {
            duration = meter.createHistogram(`reprise.${name}.duration`, { unit: 's' })
            durations.set(name, duration)
          }
          const seconds = (performance.now() - started) / 1000
          duration.record(seconds, kinds({ ...attributes, ...ending }))
        },
      }
    },
    count(name, value, attributes) {
      let counter = counters.get(name)
      if (counter === undefined) {
        counter = meter.createCounter(`reprise.${name}`)
        counters.set(name, counter)
      }
      counter.add(value, kinds(attributes))
    },
    note: () => {},
    traceparent() {
      const span = trace.getSpanContext(active())
      if (span === undefined) return undefined
      const flags = span.traceFlags.toString(16).padStart(2, '0')
      return `00-${span.traceId}-${span.spanId}-${flags}`
    },
    async flush() {
      const limit = { timeoutMillis: FLUSH_MS }
      const sent = Promise.allSettled([traces.forceFlush(limit), metrics.forceFlush(limit)])
      const { promise: late, resolve } = deferred<void>()
      const timer = setTimeout(resolve, FLUSH_MS)
      await Promise.race([sent, late])
      clearTimeout(timer)
    },
  }
}

function rootOf(traceparent: string | undefined): Context {
  const parts = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '')
  const [, traceId, spanId, flags] = parts ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags ?? '0', 16)
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

type Values = Record<string, string | number>

const told = (attributes: Attributes): Values => ({ ...attributes }) as Values

/** Every value of an attribute makes another series: only those of which there are few. */
function kinds({
  model,
  outcome,
  provider,
  tool_name,
  trigger,
  mode,
  error_kind,
}: Attributes): Values {
  const given = { model, outcome, provider, tool_name, trigger, mode, error_kind }
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
