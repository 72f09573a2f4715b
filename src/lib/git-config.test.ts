import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseGitConfig } from './git-config.ts'

test('sections, subsections and keys are read as git writes them', () => {
  const text = [
    '[core]',
    '\trepositoryformatversion = 0',
    '\tbare = false',
    '[remote "Fork"]',
    '\tURL = https://example.com/a/b.git',
    '[branch.Topic]',
    '\tremote = origin',
  ].join('\n')
  assert.deepEqual(parseGitConfig(text), [
    { section: 'core', subsection: undefined, key: 'repositoryformatversion', value: '0' },
    { section: 'core', subsection: undefined, key: 'bare', value: 'false' },
    { section: 'remote', subsection: 'Fork', key: 'url', value: 'https://example.com/a/b.git' },
    { section: 'branch', subsection: 'topic', key: 'remote', value: 'origin' },
  ])
})

test('quotes, escapes, comments, continued lines and a key beside its header', () => {
  const text = String.raw`# a comment \
[remote "a \"b\" \\c"] url = "x # y"  ; trailing
; [remote "no"]
  fetch = +refs/heads/*:\
refs/remotes/*  # why
[url "git@github.com:"]
  insteadOf = gh:   
  path = C:\\repo\tend
  flag
  spaced = a "  b  " c
`
  assert.deepEqual(
    parseGitConfig(text).map(({ section, subsection, key, value }) => [
      section,
      subsection,
      key,
      value,
    ]),
    [
      ['remote', 'a "b" \\c', 'url', 'x # y'],
      ['remote', 'a "b" \\c', 'fetch', '+refs/heads/*:refs/remotes/*'],
      ['url', 'git@github.com:', 'insteadof', 'gh:'],
      ['url', 'git@github.com:', 'path', 'C:\\repo\tend'],
      ['url', 'git@github.com:', 'flag', ''],
      ['url', 'git@github.com:', 'spaced', 'a   b   c'],
    ],
  )
})

test('lines that make no sense are left out and the rest is read', () => {
  const text = 'stray = 1\n[broken\n= nothing\n[remote "o"]\n???\nurl = u\r\n'
  assert.deepEqual(parseGitConfig(text), [
    { section: 'remote', subsection: 'o', key: 'url', value: 'u' },
  ])
})
