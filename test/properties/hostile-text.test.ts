/** Whatever stands in a text, what is read out of it takes the time of its length: no repetition holds up a program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleIn } from '../../src/agents/model/title.ts'
import { leadsOutside } from '../../src/engine/turn/outside-workspace.ts'
import { parseIndex, parseSummary } from '../../src/format/checkpoint-file.ts'
import { enclosed } from '../../src/lib/balanced-tags.ts'
import { fenced } from '../../src/lib/fenced.ts'
import { readRules } from '../../src/project/ignore.ts'
import { contextParts } from '../../src/state/context-parts.ts'
import { howItEnded } from '../../src/state/ending.ts'
import { mentionsIn } from '../../src/state/mentions.ts'
import { headAndTail, preview } from '../../src/state/preview.ts'
import { toMarkdown } from '../../src/state/transcript-markdown.ts'
import { troubleOf, type CallRow } from '../../src/store/call-outcome.ts'
import { directivesIn, isCorrection } from '../../src/store/directives.ts'
import { refsOfCall, refsOfOutput, refsOfPrompt } from '../../src/store/refs.ts'
import { workedInstead } from '../../src/store/fixed-commands.ts'
import { markdownLines } from '../../src/surfaces/cli/render/markdown.ts'
import { answered, logOf } from '../log-of.ts'

const failed = (command: string): CallRow => ({
  sessionId: 's',
  turn: 1,
  tool: 'bash',
  args: JSON.stringify({ command }),
  output: '<exited with exit code 1>',
  success: 0,
})

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  contextParts: (text) => contextParts({ system: text, messages: [] } as never),
  howItEnded: (text) => howItEnded(logOf([answered(text)]).map(({ event }) => event)),
  mentionsIn: (text) => mentionsIn(`@${text}`),
  preview,
  headAndTail: (text) => headAndTail(text, 500),
  toMarkdown: (text) => toMarkdown([{ kind: 'thought', text, at: '2026-01-01' } as never]),
  markdownLines,
  titleIn,
  parseIndex,
  parseSummary,
  readRules: (text) => readRules(text, '', undefined),
  leadsOutside: (text) =>
    leadsOutside({ kind: 'shell', fullCommandText: text } as never, { cwd: '/w', folders: ['/w'] }),
  troubleOf: (text) => troubleOf(failed(text)),
  workedInstead: (text) => workedInstead([failed(text), failed(`${text} `)]),
  directivesIn,
  isCorrection,
  refsOfOutput: (text) => refsOfOutput(text, 'octo/cat'),
  refsOfPrompt: (text) => refsOfPrompt(text, 'octo/cat'),
  refsOfCall: (text) => refsOfCall('bash', { command: text }, 'octo/cat'),
  fenced: (text) => [...fenced(text)],
  enclosed: (text) => [...enclosed(text, /<(\w+)[^\n]{0,200}?>/, ([, tag]) => `</${tag}>`)],
}

const REPEATED = [
  '\n',
  ' ',
  '\t',
  '`',
  '``` ',
  '~~~\r',
  '```\n',
  '$$ ',
  '**a',
  '*',
  '!',
  '.',
  '/',
  '-',
  '|',
  '| ',

  '<summary>\n',
  '<task>e',
  '<think>',
  '<',
  '[',
  '(',
  '{,',
  '"',
  '\\"',
  '=',
  'mp=est=f ',
  'a=',
  'A',
  '0',
  ',',
  '#',
  ': ',
  '|0|\t',
  'dev.azure.com/',
  'a/../',
  'https:',
  '\u0301',
  'cd a && ',
  '- [ ] ',
]
const BEFORE = ['', 'Look: ', '|0|', '@a']
const LENGTH = 60_000
const MOST_MS = 2000

for (const [name, read] of Object.entries(readers))
  test(`${name} reads any repetition in time`, () => {
    for (const [piece, before] of REPEATED.flatMap((each) =>
      BEFORE.map((it) => [each, it] as const),
    )) {
      const text = `${before}${piece.repeat(LENGTH / piece.length)}\u0000x`
      const begun = process.cpuUsage()
      read(text)
      const spent = process.cpuUsage(begun).user / 1000
      assert.ok(spent < MOST_MS, `${JSON.stringify(piece)}: ${Math.round(spent)} ms`)
    }
  })
