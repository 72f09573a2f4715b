import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { parse, usages, type Command, type Parsed } from './parse.ts'

function given(prompt: string) {
  return {
    means: (...commands: Command[]) =>
      assert.deepEqual(parse(prompt), { kind: 'commands', commands }),
    is: (parsed: Parsed) => assert.deepEqual(parse(prompt), parsed),
  }
}

test('each command of one line is understood', () => {
  given('run ls -la | head').means({
    verb: 'run',
    command: 'ls -la | head',
    source: 'run ls -la | head',
  })
  given('  Read src/a.ts ').means({ verb: 'read', file: 'src/a.ts', source: 'Read src/a.ts' })
  given('read a.ts 3-7').means({
    verb: 'read',
    file: 'a.ts',
    range: [3, 7],
    source: 'read a.ts 3-7',
  })
  given('read a.ts 3').means({ verb: 'read', file: 'a.ts', range: [3, 3], source: 'read a.ts 3' })
  given('find *.ts').means({ verb: 'find', pattern: '*.ts', source: 'find *.ts' })
  given('search two words').means({ verb: 'search', text: 'two words', source: 'search two words' })
  given('plan').means({ verb: 'plan', source: 'plan' })
  given('plan: rest').means({ verb: 'set-plan', text: 'rest\n', source: 'plan: rest' })
})

test('questions about the session may end as questions do', () => {
  given('What did I ask?').means({ verb: 'tell', about: 'history', source: 'What did I ask?' })
  given('last answer').means({ verb: 'tell', about: 'last answer', source: 'last answer' })
  given('which files?').means({ verb: 'tell', about: 'files', source: 'which files?' })
  given('usage').means({ verb: 'tell', about: 'status', source: 'usage' })
  given('HELP!').means({ verb: 'tell', about: 'help', source: 'HELP!' })
})

test('a file is written with one line, with a fenced block, or with the rest of the message', () => {
  given('write a.txt: hello: you\nrun cat a.txt').means(
    { verb: 'write', file: 'a.txt', text: 'hello: you\n', source: 'write a.txt: hello: you' },
    { verb: 'run', command: 'cat a.txt', source: 'run cat a.txt' },
  )
  given('write a.md\n\n````md\n```\nrun x\n```\n````\nread a.md').means(
    { verb: 'write', file: 'a.md', text: '```\nrun x\n```\n', source: 'write a.md' },
    { verb: 'read', file: 'a.md', source: 'read a.md' },
  )
  given('append a.txt\none\n\nrun two\n').means({
    verb: 'append',
    file: 'a.txt',
    text: 'one\n\nrun two\n',
    source: 'append a.txt',
  })
  given('write empty\n```\n```').means({
    verb: 'write',
    file: 'empty',
    text: '',
    source: 'write empty',
  })
})

test('a name with blanks is quoted, and a colon may be in a name', () => {
  given('read "my file.txt" 1-2').means({
    verb: 'read',
    file: 'my file.txt',
    range: [1, 2],
    source: 'read "my file.txt" 1-2',
  })
  given("write 'a b': c").means({
    verb: 'write',
    file: 'a b',
    text: 'c\n',
    source: "write 'a b': c",
  })
  given('read a:b').means({ verb: 'read', file: 'a:b', source: 'read a:b' })
})

test('edits are given on the line, on lines below, or as two fenced blocks', () => {
  given('edit a: x >>> y').means({
    verb: 'edit',
    file: 'a',
    edits: [{ old: 'x', new: 'y' }],
    source: 'edit a: x >>> y',
  })
  given('edit a\nx >>> y\nz >>>\nrun ls').means(
    {
      verb: 'edit',
      file: 'a',
      edits: [
        { old: 'x', new: 'y' },
        { old: 'z', new: '' },
      ],
      source: 'edit a',
    },
    { verb: 'run', command: 'ls', source: 'run ls' },
  )
  given('edit a\n```\n  x\n```\n```\n  y\n```').means({
    verb: 'edit',
    file: 'a',
    edits: [{ old: '  x\n', new: '  y\n' }],
    source: 'edit a',
  })
})

test('a command of several lines is fenced', () => {
  given('run\n```sh\na\nb\n```').means({ verb: 'run', command: 'a\nb\n', source: 'run' })
})

test('a command that lacks something says what is expected', () => {
  given('run').is({ kind: 'unclear', line: 'run', expected: usages.run })
  given('write a poem').is({ kind: 'unclear', line: 'write a poem', expected: usages.write })
  given('write a.txt').is({ kind: 'unclear', line: 'write a.txt', expected: usages.write })
  given('read the whole file').is({
    kind: 'unclear',
    line: 'read the whole file',
    expected: usages.read,
  })
  given('edit a: x').is({ kind: 'unclear', line: 'edit a: x', expected: usages.edit })
  given('plan:').is({ kind: 'unclear', line: 'plan:', expected: usages.plan })
})

test('words for a model are talk, and among commands they stop everything', () => {
  given('please fix the tests').is({ kind: 'talk' })
  given('plan a trip').is({ kind: 'talk' })
  given('constructor').is({ kind: 'talk' })
  given(' \n ').is({ kind: 'talk' })
  given('run ls\nthank you').is({
    kind: 'unclear',
    line: 'thank you',
    expected: 'a command; help lists them',
  })
})

test('any text is parsed to its end, and any content comes back as it was fenced', () => {
  const word = fc.constantFrom(
    'run',
    'write',
    'edit',
    'plan:',
    '```',
    '>>>',
    'a',
    ':',
    '"',
    ' ',
    '\n',
    '\r\n',
  )
  fc.assert(
    fc.property(
      fc.array(word).map((words) => words.join(' ')),
      (prompt) => void parse(prompt),
    ),
  )
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }).filter((line) => !/[\r\n`]/.test(line))),
      (lines) => {
        const text = lines.map((line) => `${line}\n`).join('')
        given(`write a\n\`\`\`\n${text}\`\`\``).means({
          verb: 'write',
          file: 'a',
          text,
          source: 'write a',
        })
      },
    ),
  )
})
