import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { checkPlace, placeOf } from './guard.ts'

const place = placeOf(['https://control.example.com'])

const asked = (method: string, more: Readonly<Record<string, string>>) => {
  const headers = { host: 'control.example.com', ...more }
  const rawHeaders = Object.entries(headers).flat()
  return () => checkPlace(place, { method, url: '/', headers, rawHeaders } as IncomingMessage)
}

const OPENED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

test('a person who follows a link of another site, or comes back from signing in, is let in', () => {
  for (const site of ['cross-site', 'same-site', 'same-origin', 'none'])
    assert.doesNotThrow(asked('GET', { ...OPENED, 'sec-fetch-site': site }), site)
})

test('pages of other sites neither ask, nor frame, nor send a form', () => {
  const cross = { 'sec-fetch-site': 'cross-site' }
  const wrong = { code: 'forbidden' }
  assert.throws(asked('GET', cross), wrong)
  assert.throws(asked('GET', { ...cross, 'sec-fetch-mode': 'cors' }), wrong)
  assert.throws(asked('GET', { ...cross, ...OPENED, 'sec-fetch-dest': 'iframe' }), wrong)
  assert.throws(asked('POST', { ...cross, ...OPENED }), wrong)
  assert.throws(asked('GET', { ...OPENED, origin: 'https://evil.example' }), wrong)
  assert.throws(asked('GET', { host: 'evil.example' }), wrong)
})
