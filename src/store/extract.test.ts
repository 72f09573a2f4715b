/** What is read out of texts: pieces of names, references, files, terms of a query. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { partsOf } from './identifiers.ts'
import { parseQuery } from './query.ts'
import { refsOfCall, refsOfOutput, refsOfPrompt } from './refs.ts'
import { distanceOf } from '../lib/nearest.ts'
import { snippetOf } from './snippet.ts'
import { clean, ends } from './text.ts'
import { pathsOfEnd, pathsOfStart } from './touched-files.ts'

describe('pieces of names', () => {
  it('are those of compound words, each word once', () => {
    assert.equal(
      partsOf('call parseSummary(HTTPServer) then parseSummary and plain snake_case'),
      'parse Summary HTTP Server',
    )
    assert.equal(partsOf('nothing here'), '')
  })

  it('are not looked for in keys and base64', () => {
    assert.equal(partsOf('aB'.repeat(100_000)), '')
  })
})

describe('references', () => {
  it('come from GitHub tools, commands and what git prints', () => {
    const args = { owner: 'Ada', repo: 'parser', pullNumber: 12, sha: '1a2b3c4d' }
    assert.deepEqual(refsOfCall('github-mcp-get_pull_request', args, 'ada/parser'), [
      { type: 'pr', value: '12' },
      { type: 'commit', value: '1a2b3c4d' },
    ])
    assert.deepEqual(refsOfCall('github', args, 'bob/other')[0], {
      type: 'pr',
      value: 'Ada/parser#12',
    })
    const command = 'git checkout -b fix/it && gh issue view 7'
    assert.deepEqual(refsOfCall('bash', { command }, undefined), [
      { type: 'issue', value: '7' },
      { type: 'branch', value: 'fix/it' },
    ])
    const output =
      '[main (root-commit) 1a2b3c4] First\nsee https://github.com/ada/parser/issues/3\n'
    assert.deepEqual(refsOfOutput(output, 'ada/parser'), [
      { type: 'issue', value: '3' },
      { type: 'commit', value: '1a2b3c4' },
      { type: 'branch', value: 'main' },
    ])
    assert.deepEqual(refsOfOutput('[2024-01-01 12:00] [1/3] plain', undefined), [])
  })

  it('reads what git log and rev-parse print, and addresses of GitLab and Azure DevOps', () => {
    const whole = '0123456789abcdef0123456789abcdef01234567'
    const commit = { type: 'commit', value: whole }
    assert.deepEqual(refsOfOutput(`${whole}\n`, undefined), [commit])
    assert.deepEqual(refsOfOutput(`commit ${whole}\nAuthor: A\n\n    Text\n`, undefined), [commit])
    assert.deepEqual(
      refsOfOutput('1a2b3c4 First\n5d6e7f8 (HEAD -> main) Second', undefined).map(
        ({ value }) => value,
      ),
      ['1a2b3c4', '5d6e7f8'],
    )
    assert.deepEqual(refsOfOutput('1a2b3c4 First\nand prose', undefined), [])
    assert.deepEqual(
      refsOfOutput(
        'https://gitlab.example/g/sub/p/-/merge_requests/7 https://dev.azure.com/org/proj/_git/repo/pullrequest/42 https://dev.azure.com/org/proj/_workitems/edit/5',
        'g/sub/p',
      ),
      [
        { type: 'pr', value: '7' },
        { type: 'pr', value: 'org/proj/repo#42' },
        { type: 'issue', value: 'org/proj#5' },
      ],
    )
  })

  it('reads what a person names by its number', () => {
    assert.deepEqual(
      refsOfPrompt('fix #123 and GH-7, see PR #9; colour #12ab34, a#5, &#39;', 'a/b'),
      [
        { type: 'issue', value: '123' },
        { type: 'issue', value: '7' },
        { type: 'pr', value: '9' },
      ],
    )
  })
})

describe('touched files', () => {
  it('are those that a tool writes, redirects to, tells of or shows a diff of', () => {
    const edit = { toolCallId: 'c', toolName: 'edit', arguments: { path: ' a.ts ' } }
    assert.deepEqual(pathsOfStart(edit), ['a.ts'])
    assert.deepEqual(pathsOfStart({ ...edit, toolName: 'view' }), [])
    const patch = '*** Begin Patch\n*** Update File: b.ts\n*** Add File: c.ts\n'
    assert.deepEqual(pathsOfStart({ ...edit, toolName: 'apply_patch', arguments: patch }), [
      'b.ts',
      'c.ts',
    ])
    const shell = { possiblePaths: ['out.txt'], hasWriteFileRedirection: true }
    const command = { command: 'date > out.txt' }
    assert.deepEqual(
      pathsOfStart({ ...edit, toolName: 'bash', arguments: command, shellToolInfo: shell }),
      ['out.txt'],
    )
    const structuredContent = { content: [{ type: 'diff', path: 'd.ts', newText: '' }] }
    const done = {
      toolCallId: 'c',
      success: true,
      result: { content: '', structuredContent },
      fileEdits: [{ path: 'e.ts', kind: 'edit' as const }],
    }
    assert.deepEqual(pathsOfEnd(done), ['e.ts', 'd.ts'])
    assert.deepEqual(pathsOfEnd({ ...done, success: false }), [])
  })
})

describe('a query', () => {
  it('is quoted word by word', () => {
    assert.deepEqual(
      parseQuery('foo* "a b" parseSummary NOT -x').map(({ match }) => match),
      ['"foo"*', '"a b"', '("parseSummary" OR "parse Summary")', '"NOT"', '"-x"'],
    )
  })
})

describe('texts', () => {
  it('are never cut inside a character, and hold no marks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 20 }), (text, limit) => {
        const cut = ends(clean(text), limit)
        assert.ok(cut.isWellFormed())
        // oxlint-disable-next-line no-control-regex
        assert.doesNotMatch(cut, /[\u0000-\u0002]/)
      }),
    )
  })

  it('are shown around their matches, whatever they are', () => {
    const place = fc.nat({ max: 2000 })
    fc.assert(
      fc.property(
        fc.string({ maxLength: 2000 }),
        place,
        fc.nat({ max: 20 }),
        (text, at, length) => {
          const start = Math.min(at, text.length)
          const end = Math.min(start + length, text.length)
          const snippet = snippetOf(text, [{ start, end }])
          for (const range of snippet.ranges) {
            assert.equal(snippet.text.slice(range.start, range.end), text.slice(start, end))
          }
          assert.ok(text.includes(snippet.text))
        },
      ),
    )
  })
})

it('a swapped pair, a letter more and a letter less are one mistake each', () => {
  assert.deepEqual(
    ['lease', 'laese', 'lase', 'leasse', 'release', 'zebra'].map((word) =>
      distanceOf('lease', word, 2),
    ),
    [0, 1, 1, 1, 2, 3],
  )
})
