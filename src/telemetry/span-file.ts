/** Spans as lines of JSON in a file, for programs that want no collector. */
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { appendLines } from '../lib/line-file.ts'

export const spanFile = (path: string): SpanExporter => ({
  export(spans, done) {
    const written = async () => {
      try {
        await appendLines(path, spans.map(lineOf))
        return { code: 0 }
      } catch (error) {
        return { code: 1, error: error instanceof Error ? error : new Error(String(error)) }
      }
    }
    void finish(written(), done)
  },
  shutdown: async () => {},
})

async function finish<T>(result: Promise<T>, done: (result: T) => void): Promise<void> {
  done(await result)
}

const lineOf = (span: ReadableSpan): string => {
  const { traceId, spanId } = span.spanContext()
  const { name, kind, startTime, endTime, attributes, status, parentSpanContext } = span
  return JSON.stringify({
    type: 'span',
    traceId,
    spanId,
    parentSpanId: parentSpanContext?.spanId,
    name,
    kind,
    startTime,
    endTime,
    attributes,
    status,
  })
}
