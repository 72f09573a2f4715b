import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rulesPolicy } from '../engine/turn/permission-rules.ts'
import type { PermissionRequest } from '../engine/agent.ts'
import { rulesOf, type Grants } from './launch-rules.ts'

const session = { mode: 'interactive', cwd: '/work', workspacePath: '/home/s' }
const shell = (fullCommandText: string) => ({ kind: 'shell', fullCommandText })
const write = (fileName: string) => ({ kind: 'write', fileName })
const read = (path: string) => ({ kind: 'read', path })
const url = (address: string) => ({ kind: 'url', url: address })
const mcp = (serverName: string, toolName: string) => ({ kind: 'mcp', serverName, toolName })

async function decided(grants: Grants, request: object): Promise<string> {
  const policy = rulesPolicy(rulesOf(grants), () => 'ask')
  const answer = await policy(
    { toolCallId: 'c', ...request } as unknown as PermissionRequest,
    session,
  )
  return answer === 'ask' ? 'ask' : answer.kind
}

test('what the Copilot CLI is told to allow and deny is allowed and denied here', async () => {
  const git: Grants = { allowTool: ['shell(git:*)'], denyTool: ['shell(git push)'] }
  assert.equal(await decided(git, shell('git')), 'allow')
  assert.equal(await decided(git, shell('git status --short')), 'allow')
  assert.equal(await decided(git, shell('git push origin main')), 'deny')
  assert.equal(await decided(git, shell('gitea list')), 'ask')
  assert.equal(await decided(git, shell('git log; rm -rf x')), 'ask')
  const several: Grants = { allowTool: ['shell(echo a, b), write(.env)', 'MyMCP'] }
  assert.equal(await decided(several, shell('echo a, b')), 'allow')
  assert.equal(await decided(several, write('/work/deep/.env')), 'allow')
  assert.equal(await decided(several, write('/work/other')), 'ask')
  assert.equal(await decided(several, mcp('MyMCP', 'any')), 'allow')
  assert.equal(await decided({ denyTool: ['MyMCP(one)'] }, mcp('MyMCP', 'one')), 'deny')
  assert.equal(await decided({ denyTool: ['MyMCP(one)'] }, mcp('MyMCP', 'two')), 'ask')
})

test('addresses without a protocol are HTTPS, and directories are allowed to be read', async () => {
  const hub: Grants = { allowUrl: ['github.com'], denyUrl: ['https://*.bad.org'] }
  assert.equal(await decided(hub, url('https://github.com')), 'allow')
  assert.equal(await decided(hub, url('https://github.com/a/b')), 'allow')
  assert.equal(await decided(hub, url('http://github.com/a')), 'ask')
  assert.equal(await decided(hub, url('https://very.bad.org/x')), 'deny')
  assert.equal(await decided({ allowAllUrls: true }, url('http://any.org')), 'allow')
  assert.equal(await decided({ addDir: ['/other'] }, read('/other/a/b.txt')), 'allow')
  assert.equal(await decided({ addDir: ['/other'] }, read('/others')), 'ask')
  assert.equal(await decided({ addDir: ['/other'] }, write('/other/a')), 'ask')
  assert.equal(await decided({ allowAllPaths: true }, read('/etc/hosts')), 'allow')
})

test('all tools are allowed in the project; paths beyond it and addresses have flags of their own', async () => {
  const tools: Grants = { allowAllTools: true, addDir: ['/other'], tempDir: '/tmp' }
  const inside = [
    shell('npm test > out.txt 2>/dev/null && cat /work/src/a.ts'),
    shell('curl -s https://example.org/a/../b'),
    shell('cp a /tmp/b; ls --color=auto ./src/../docs'),
    shell('sed s/a/b/ x | grep -c "1"'),
    write('/work/a'),
    write('/other/a'),
    read('/home/s/plan.md'),
    mcp('MyMCP', 'any'),
  ]
  const outside = [
    shell('cat /etc/hosts'),
    shell('echo x >/etc/a'),
    shell('rm -rf ../../else'),
    shell('tool --output=/etc/a'),
    shell('node -e \'read("/etc/a")\''),
    shell('cat ~/.ssh/id'),
    shell('cat $HOME/.profile'),
    shell('cat ${HOME}/.profile'),
    shell('ls /'),
    write('/work/../etc/a'),
    write('/workshop/a'),
    read('/etc/hosts'),
  ]
  for (const request of inside) assert.equal(await decided(tools, request), 'allow', said(request))
  for (const request of outside) {
    assert.equal(await decided(tools, request), 'ask', said(request))
    assert.equal(await decided({ ...tools, allowAllPaths: true }, request), 'allow', said(request))
  }
  const address = url('https://example.org')
  assert.equal(await decided({ ...tools, allowAllPaths: true }, address), 'ask')
  assert.equal(await decided({ ...tools, allowAllUrls: true }, address), 'allow')
  assert.equal(await decided({ allowAllTools: true }, shell('ls /tmp')), 'ask')
  assert.equal(await decided({ ...tools, denyTool: ['shell(rm)'] }, shell('rm a')), 'deny')
})

const said = (request: object) => JSON.stringify(request)
