import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownLines } from './entry.ts'
import { markLoneDollars } from './lone-dollars.ts'
import { makeTheme } from './theme.ts'

const plain = makeTheme({ isPainted: false })
const shown = (text: string): string =>
  markdownLines(text, 100, plain)
    .map((line) => line.trimEnd())
    .join('\n')

test('a dollar that opens no formula leaves the words behind it as they are meant', () => {
  for (const [text, wanted] of [
    ['Set $HOME/bin in **PATH**, run `npm i`.', 'Set $HOME/bin in PATH, run npm i.'],
    ['It is $5/month, see [x](http://y.z).', 'It is $5/month, see x (http://y.z).'],
    ['PATH=$HOME/bin:$PATH and ${A}/b **c**', 'PATH=$HOME/bin:$PATH and ${A}/b c'],
    ['$$ is _it_/a\n\n**b**', '$$ is it/a\n\nb'],
    ['$$E=mc^2$$ is **it**\n\n**b**', 'E = mc² is it\n\nb'],
    ['$$\na = b\n\n**c**', '$$\na = b\n\nc'],
    ['- in $HOME/a **b**\n  - $HOME/c **d**', '- in $HOME/a b\n    - $HOME/c d'],
    ['https://a.b/$c/d?e=$f_g **h**', 'https://a.b/$c/d?e=$f_g h'],
  ] as const)
    assert.equal(shown(text), wanted)
})

test('formulas and code stay what they are', () => {
  for (const [text, wanted] of [
    ['$$\nE=mc^2\n$$\n\n**b** $x_1$, \\(x^2\\)', 'E = mc²\n\nb x₁, x²'],
    ['`a $B/c`, ``$D/`e``', 'a $B/c, $D/`e'],
    ['```\n$A/b\n```', '  $A/b'],
    ['text\n\n    $A/b', 'text\n\n  $A/b'],
  ] as const)
    assert.equal(shown(text), wanted)
})

test('no repetition of signs takes long', () => {
  for (const sign of [
    '$',
    '$$',
    '$a ',
    '$$a$$ ',
    '`$',
    '``$`',
    'http://$ ',
    '$$\n',
    '\\$',
    '```\n',
  ]) {
    const startedAt = performance.now()
    markLoneDollars(sign.repeat(200_000 / sign.length))
    assert.ok(performance.now() - startedAt < 2000, JSON.stringify(sign))
  }
})
