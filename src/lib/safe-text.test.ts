import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { safeJson, safeText } from './safe-text.ts'

const corpus: readonly (readonly [string, string, string])[] = [
  ['plain text', 'hello, world', 'hello, world'],
  ['letters beyond ASCII', 'Grüße 你好 שלום', 'Grüße 你好 שלום'],
  ['a colour', '\x1b[31mred\x1b[0m', 'red'],
  ['a colour with colons', '\x1b[38:2::1:2:3mx', 'x'],
  ['a private mode', 'a\x1b[?1049hb', 'ab'],
  ['an 8-bit CSI', 'a\x9b2Jb', 'ab'],
  ['a cursor report request', 'a\x1b[6nb', 'ab'],
  ['a window title', 'a\x1b]0;owned\x07b', 'ab'],
  ['a title ended by ST', 'a\x1b]2;owned\x1b\\b', 'ab'],
  ['an 8-bit OSC and ST', 'a\x9d0;owned\x9cb', 'ab'],
  ['a link', '\x1b]8;;http://evil.test\x1b\\click\x1b]8;;\x1b\\', 'click'],
  ['the clipboard', 'a\x1b]52;c;cm0gLXJmIH4=\x07b', 'ab'],
  ['a DCS string', 'a\x1bP+q544e\x1b\\b', 'ab'],
  ['an APC string', 'a\x1b_Gf=100;AAAA\x1b\\b', 'ab'],
  ['a string without an end keeps its text', 'a\x1b]0;still here', 'a0;still here'],
  ['a reset', 'a\x1bcb', 'ab'],
  ['another character set', 'a\x1b(0b', 'ab'],
  ['save and restore', 'a\x1b7b\x1b8c', 'abc'],
  ['a sequence that removal would make', '\x1b\x1b[m[31mx', '[31mx'],
  ['an escape at the end', 'a\x1b', 'a'],
  ['a backspace that hides', 'safe\b\b\b\bevil', 'safeevil'],
  ['a carriage return that overwrites', 'evil\rsafe', 'evilsafe'],
  ['bell, NUL, DEL', 'a\x07\0\x7fb', 'ab'],
  ['C1 controls', 'a\x84\x8d\x9bb', 'a'],
  ['a right-to-left override', 'gpj.\u202etxt', 'gpj.⟨202e⟩txt'],
  ['isolates', '\u2066a\u2069', '⟨2066⟩a⟨2069⟩'],
  ['zero-width space and word joiner', 'a\u200bb\u2060c\ufeff', 'a⟨200b⟩b⟨2060⟩c⟨feff⟩'],
  ['a soft hyphen', 'a\u00adb', 'a⟨00ad⟩b'],
  ['tag characters', 'a\u{e0041}\u{e0042}b', 'a⟨e0041⟩⟨e0042⟩b'],
  ['variation selectors that carry data', 'a\u{e0101}\u{e0102}', 'a⟨e0101⟩⟨e0102⟩'],
  ['a filler that looks like a space', 'a\u3164b', 'a⟨3164⟩b'],
  ['annotation marks', 'a\ufff9b\ufffac\ufffb', 'a⟨fff9⟩b⟨fffa⟩c⟨fffb⟩'],
  ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ['a family emoji stays one', '👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
  ['a heart stays red', '❤\ufe0f', '❤\ufe0f'],
  ['variation selectors without an emoji are shown', 'a\ufe0f\ufe0f', 'a⟨fe0f⟩⟨fe0f⟩'],
  [
    'a long run is shown by its beginning',
    `a${'\u200b'.repeat(9)}`,
    'a⟨200b⟩⟨200b⟩⟨200b⟩⟨200b⟩⟨and 5 more⟩',
  ],
  ['a keycap stays one', '1\ufe0f\u20e3', '1\ufe0f\u20e3'],
  ['a joiner between letters is shown', 'pay\u200dpal', 'pay⟨200d⟩pal'],
  ['Persian keeps its non-joiner', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['line breaks and tabs', 'a\r\nb\tc\nd', 'a b c d'],
  ['the separators of Unicode', 'a\u2028b\u2029c\u0085d', 'a b c d'],
]

for (const [name, hostile, shown] of corpus) {
  test(`safeText: ${name}`, () => assert.equal(safeText(hostile), shown))
}

test('A text of several lines keeps its breaks and tabs', () => {
  assert.equal(safeText('a\r\n\tb\x1b[31m\u2028c\r', { breaks: 'keep' }), 'a\n\tb\nc')
})

// Rarely drawn by chance, so drawn on purpose.
const signs = fc.constantFrom(
  ...'\x1b\x9b\x9d\x90\x9c\x07\\[]P_^X;:?0m hJ\n\r\t\0\u202e\u2066\u200d\u200c\ufe0f\u2028\ufeff',
)
const anyText = fc.string({ unit: fc.oneof(signs, fc.string({ unit: 'binary', maxLength: 1 })) })

// oxlint-disable-next-line no-control-regex
const OBEYED = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

test('Nothing that a terminal obeys is left, whatever the text', () => {
  fc.assert(fc.property(anyText, (text) => !OBEYED.test(safeText(text))))
})

test('Kept breaks are line feeds and tabs only', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = safeText(text, { breaks: 'keep' })
      return (
        !OBEYED.test(shown.replace(/[\n\t]/g, '')) && safeText(shown, { breaks: 'keep' }) === shown
      )
    }),
  )
})

test('A long text of introducers without an end is dealt with in one pass', () => {
  const text = '\x9d\x1b]\x9b\x1bP'.repeat(200_000)
  assert.equal(safeText(text), '')
})

test('JSON says the same and holds nothing that a terminal obeys', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const json = safeJson({ [text]: text })
      assert.equal(OBEYED.test(json), false)
      assert.deepEqual(Object.entries(JSON.parse(json) as object), [[text, text]])
    }),
  )
})

test('JSON escapes what lies beyond the first plane as its two halves', () => {
  assert.equal(safeJson('a\u{e0041}\x9b\u202e'), '"a\\udb40\\udc41\\u009b\\u202e"')
})
