import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noUsage } from '../../state/usage.ts'
import { dollarsOf } from './session-cost.ts'

test("a session costs what its models do, by the user's own prices first; without any it is not told", () => {
  const used = (model: string) => ({ ...noUsage, model, inputTokens: 1e6, outputTokens: 1e6 })
  const usage = (...models: string[]) => ({ ...noUsage, models: models.map(used) })
  assert.equal(dollarsOf(usage('gpt-5'), undefined), 11.25)
  assert.equal(dollarsOf(usage('gpt-5', 'nobody-knows-it'), undefined), 11.25)
  assert.equal(dollarsOf(usage('gpt-5'), { 'gpt-5': { input: 1, output: 1 } }), 2)
  assert.equal(dollarsOf(usage('nobody-knows-it'), undefined), null)
  assert.equal(dollarsOf(noUsage, undefined), null)
})
