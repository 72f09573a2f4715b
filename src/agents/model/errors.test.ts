import assert from 'node:assert/strict'
import test from 'node:test'
import { CutStream, NoAnswer, diagnose } from './errors.ts'

const where = { provider: 'openai', model: 'm', keyHint: 'OPENAI_API_KEY' }

const answered = (statusCode: number, message: string, headers = {}) => ({
  message: 'Failed',
  statusCode,
  responseBody: JSON.stringify({ error: { message } }),
  responseHeaders: headers,
})

const kindOf = (thrown: unknown) => {
  const { kind, error } = diagnose(thrown, where)
  return [kind, (error as { code?: string }).code]
}

test('what providers say is told apart', () => {
  const network = new TypeError('fetch failed', {
    cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
  })
  const cases: [unknown, string, string][] = [
    [
      answered(400, "This model's maximum context length is 8192 tokens."),
      'context_limit',
      'context_limit',
    ],
    [
      answered(400, 'prompt is too long: 201000 tokens > 200000 maximum'),
      'context_limit',
      'context_limit',
    ],
    [
      answered(400, 'input length and max_tokens exceed context limit'),
      'context_limit',
      'context_limit',
    ],
    [answered(413, 'Request exceeds the maximum size'), 'context_limit', 'context_limit'],
    [{ code: 'context_length_exceeded', message: 'too long' }, 'context_limit', 'context_limit'],
    [answered(401, 'no'), 'fatal', 'authentication'],
    [answered(403, 'no'), 'fatal', 'authentication'],
    [answered(404, 'The model does not exist'), 'fatal', 'configuration'],
    [answered(429, 'You exceeded your current quota: insufficient_quota'), 'fatal', 'quota'],
    [answered(429, 'slow down: too many tokens per minute'), 'again', 'rate_limit'],
    [answered(500, 'oops'), 'again', 'unavailable'],
    [answered(529, 'Overloaded'), 'again', 'unavailable'],
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'again', 'unavailable'],
    [network, 'again', 'unavailable'],
    [new CutStream('cut'), 'again', 'unavailable'],
    [answered(400, 'tools.0.name: wrong'), 'fatal', 'refused'],
    ['words', 'fatal', 'refused'],
    [undefined, 'fatal', 'refused'],
  ]
  assert.deepEqual(
    cases.map(([thrown]) => kindOf(thrown)),
    cases.map(([, kind, code]) => [kind, code]),
  )
})

test('a connection that broke is told without the words of a library', () => {
  const thrown = { message: 'Failed to process successful response', statusCode: 200 }
  const cut = diagnose(thrown, where)
  assert.equal(cut.reason, 'the connection broke')
  assert.match(
    cut.error.message,
    /broke before its answer was complete\. What came of it is kept\./,
  )
})

test('an answer that no model gives is told as what it is', () => {
  const loading = diagnose(answered(200, 'The model is loading.'), where)
  assert.deepEqual([loading.kind, loading.reason], ['again', 'The model is loading.'])
  assert.match(loading.error.message, /^openai gave no answer of a model \(The model is loading/)
  const page = diagnose(new NoAnswer('a web page'), where)
  assert.equal(page.kind, 'fatal')
  assert.match(page.error.message, /^openai answered with a web page.* usually ends with \/v1\.$/)
  const gateway = { message: 'Bad Gateway', statusCode: 502, responseBody: '<html>Bad</html>' }
  assert.equal(diagnose(gateway, where).reason, '502: Bad Gateway')
})

test('how long to wait is read as seconds, milliseconds or a date', () => {
  const after = (headers: Record<string, string>) =>
    diagnose(answered(429, 'x', headers), where).retryAfterMs
  assert.equal(after({ 'retry-after': '2' }), 2000)
  assert.equal(after({ 'retry-after-ms': '150', 'retry-after': '2' }), 150)
  assert.equal(after({ 'retry-after': 'Mon, 01 Jan 2001 00:00:00 GMT' }), 0)
  assert.equal(after({ 'retry-after': 'soon' }), undefined)
  assert.equal(after({}), undefined)
})
