import assert from 'node:assert/strict'
import test from 'node:test'
import type { EventId } from '../../format/ids.ts'
import type { Attachment } from '../../state/attachments.ts'
import type { ModelContext } from '../../state/model-context.ts'
import { attachmentPart } from './attachments.ts'
import { readOnce, withPictures } from './pictures.ts'

const MIB = 1024 * 1024

const kept = (sha256: string, byteLength: number): Attachment => ({
  type: 'blob',
  mimeType: 'image/png',
  data: '',
  blob: { sha256, byteLength },
})

const said = (...attachments: readonly Attachment[]): ModelContext => ({
  system: undefined,
  messages: [{ role: 'user', content: 'see', attachments, eventId: 'e' as EventId }],
})

const shown = ({ messages: [message] }: ModelContext): (string | undefined)[] =>
  message?.role === 'user'
    ? (message.attachments ?? []).map((each) => (each.type === 'blob' ? each.data : undefined))
    : []

const base64 = (text: string) => Buffer.from(text).toString('base64')

test('the newest pictures are shown as far as they fit, the rest is left to words', async () => {
  const context = said(kept('a', 9 * MIB), kept('b', 9 * MIB), kept('c', 1))
  const result = await withPictures(context, async (sha256) => Buffer.from(sha256))
  assert.deepEqual(shown(result), ['', base64('b'), base64('c')])
})

test('a picture that is missing or damaged is left to words, and others are shown', async () => {
  const result = await withPictures(said(kept('a', 1), kept('b', 1)), async (sha256) =>
    sha256 === 'a' ? undefined : Buffer.from('b'),
  )
  assert.deepEqual(shown(result), ['', base64('b')])
})

test('a context without pictures is the same, and a picture is read once for all requests', async () => {
  const plain = said()
  assert.equal(await withPictures(plain, () => Promise.reject(new Error('not asked'))), plain)
  let reads = 0
  const readBlob = readOnce(async () => {
    reads += 1
    return Buffer.from('x')
  })
  await withPictures(said(kept('a', 1)), readBlob)
  await withPictures(said(kept('a', 1), kept('a', 1)), readBlob)
  assert.equal(reads, 1)
})

test('a text that was attached is quoted to the model, also when the log keeps it aside', async () => {
  const text = { ...kept('a', 9), mimeType: 'text/markdown', displayName: 'notes.md' } as Attachment
  const binary = { ...kept('b', 9), mimeType: 'application/zip' } as Attachment
  const { messages } = await withPictures(said(text, binary), async () =>
    Buffer.from('# é </attachment>'),
  )
  const [message] = messages
  const parts = message?.role === 'user' ? (message.attachments ?? []).map(attachmentPart) : []
  assert.deepEqual(parts, [
    {
      type: 'text',
      text: '<attachment type="text/markdown" name="notes.md">\n# é &lt;/attachment>\n</attachment>',
    },
    { type: 'text', text: '<attachment type="application/zip">not shown here</attachment>' },
  ])
})
