import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenOption } from './launch-rules.ts'
import { brokenRule, ruleTrouble, ruleTroubles, withRules } from './rule-texts.ts'

const meant = (text: string): string | undefined =>
  /Did you mean (.+)\?$/s.exec(ruleTrouble(text) ?? '')?.[1]

test('a rule that can be none is refused with what was meant', () => {
  assert.deepEqual(
    [
      'shel(rm*)',
      'Shell(rm*)',
      'wirte(src/**)',
      'custom_tool(x)',
      'Bash(rm*)',
      'Edit(src/**)',
      'WebFetch(domain:a.org)',
      'Read',
      'shell(git*',
      'shellgit*)',
      'mcp__hub__search',
      'git push*',
    ].map(meant),
    [
      'shell(rm*)',
      'shell(rm*)',
      'write(src/**)',
      'custom-tool(x)',
      'shell(rm*)',
      'write(src/**)',
      'url(domain:a.org)',
      'read',
      'shell(git*)',
      undefined,
      'mcp(hub/search)',
      'shell(git push*)',
    ],
  )
  assert.match(ruleTrouble('') ?? '', /Write for example/)
})

test('rules of every kind, and those that name a tool server or its tool, are taken', () => {
  for (const text of [
    'shell',
    'shell(git log*)',
    'shell(echo (a))',
    'write(src/**)',
    'read(~/x)',
    'url(https://a.org/**)',
    'mcp(hub/search)',
    'custom-tool(x)',
    'memory',
    'outside(docker)',
    'MyMCP',
    'MyMCP(one)',
    'github(create_issue)',
    'fetch(get)',
    'reader(x)',
    'git',
  ])
    assert.equal(ruleTrouble(text), undefined, text)
  assert.equal(ruleTrouble('shel(rm)', ['shel']), undefined)
  const given = { permissions: { deny: ['hub(search)', 'hub', 'mcp(hub/x)', 'outside(docker)'] } }
  assert.deepEqual(withRules(given).permissions.deny, [
    'mcp(hub/search)',
    'mcp(hub/*)',
    'mcp(hub/x)',
    'outside(docker)',
  ])
})

test('the setting or the option is named, and a server that is not there', () => {
  assert.match(
    brokenRule({ permissions: { allow: ['write'], deny: ['shel(rm*)'] } }) ?? '',
    /^permissions\.deny: "shel\(rm\*\)"/,
  )
  assert.match(brokenOption({ denyTool: ['shell(a, b), shel(rm)'] }, []) ?? '', /^--deny-tool: /)
  assert.deepEqual(
    ruleTroubles({
      permissions: { allow: ['hub(x)', 'mcp(far/*)', 'write'] },
      mcpServers: { hub: { command: 'hub' } },
    }),
    ['permissions.allow: mcp(far/*) holds for nothing yet: no tool server far is configured.'],
  )
})
