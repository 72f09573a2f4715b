import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { identifyRemote, remoteKey } from './git-remote.ts'

const octo = { repository: 'Octo/Cat', repositoryHost: 'github.com', hostType: 'github' }
const azure = {
  repository: 'org/My Project/repo',
  repositoryHost: 'dev.azure.com',
  hostType: 'ado',
}

for (const url of [
  'https://github.com/Octo/Cat',
  'https://github.com/Octo/Cat.git',
  'https://github.com/Octo/Cat/',
  'https://GitHub.com:443/Octo/Cat.git',
  'https://www.github.com/Octo/Cat',
  'https://user:secret@github.com/Octo/Cat.git?token=secret#secret',
  'http://github.com/Octo/Cat',
  'git://github.com/Octo/Cat.git',
  'ssh://git@github.com/Octo/Cat.git',
  'ssh://git@github.com:22/Octo/Cat.git',
  'ssh://git@ssh.github.com:443/Octo/Cat.git',
  'git+ssh://git@github.com/Octo/Cat.git',
  'git@github.com:Octo/Cat.git',
  'github.com:Octo/Cat',
  'git@github.com:/Octo/Cat.git',
]) {
  test(`${url} names Octo/Cat on GitHub`, () => assert.deepEqual(identifyRemote(url), octo))
}

for (const url of [
  'https://dev.azure.com/org/My%20Project/_git/repo',
  'https://secret@dev.azure.com/org/My%20Project/_git/repo',
  'https://dev.azure.com/org/My%20Project/_git/_optimized/repo',
  'https://org.visualstudio.com/My%20Project/_git/repo',
  'https://org.visualstudio.com/DefaultCollection/My%20Project/_git/repo',
  'git@ssh.dev.azure.com:v3/org/My%20Project/repo',
  'ssh://git@ssh.dev.azure.com:22/v3/org/My%20Project/repo',
  'org@vs-ssh.visualstudio.com:v3/org/My%20Project/repo',
]) {
  test(`${url} names a repository on Azure DevOps`, () =>
    assert.deepEqual(identifyRemote(url), azure))
}

test('an Azure repository named like its project may leave the project out', () => {
  assert.equal(identifyRemote('https://dev.azure.com/org/_git/repo')?.repository, 'org/repo/repo')
})

test('other hosts are named by host and path', () => {
  const cases = {
    'https://gitlab.com/group/sub/app.git': 'gitlab.com/group/sub/app',
    'https://git.example.com:8443/a/b': 'git.example.com:8443/a/b',
    'ssh://git@git.example.com:2222/a/b.git': 'git.example.com/a/b',
    'git@github.example.com:team/app.git': 'github.example.com/team/app',
    'git@[2001:db8::1]:a/b': '[2001:db8::1]/a/b',
    'https://gist.github.com/0123.git': 'gist.github.com/0123',
    'https://octo.ghe.com/team/app': 'octo.ghe.com/team/app',
  }
  const named = Object.keys(cases).map((url) => [url, identifyRemote(url)?.repository])
  assert.deepEqual(Object.fromEntries(named), cases)
})

test('a path on this machine, a remote helper and nonsense name nothing', () => {
  const urls = [
    '/srv/git/app.git',
    '../app',
    './a:b/c',
    'C:\\code\\app',
    'C:/code/app',
    'file:///srv/git/app.git',
    'ext::sh -c evil',
    'https://',
    'https://github.com',
    'https://example.com/a%00b/\u0007',
    '',
  ]
  assert.deepEqual(
    urls.map(identifyRemote),
    urls.map(() => undefined),
  )
})

test('user names and passwords of a URL never come back', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9]{12,20}$/)
  const scheme = fc.constantFrom('https', 'http', 'ssh', 'git+ssh')
  const host = fc.constantFrom('github.com', 'dev.azure.com', 'git.example.com')
  fc.assert(
    fc.property(scheme, host, secret, secret, (scheme, host, user, password) => {
      const told = JSON.stringify(
        identifyRemote(`${scheme}://${user}:${password}@${host}/o/p/_git/r?a=${password}#${user}`),
      )
      assert.ok(!told.includes(user) && !told.includes(password))
    }),
  )
})

test('the key of a repository does not depend on case, and hosts are kept apart', () => {
  const keys = [
    'git@github.com:Octo/Cat',
    'https://github.com/octo/CAT',
    'git@host.example:octo/cat',
  ]
  assert.deepEqual(
    keys.map((url) => {
      const { repository, hostType } = identifyRemote(url)!
      return remoteKey(repository, hostType)
    }),
    ['github:octo/cat', 'github:octo/cat', 'remote:host.example/octo/cat'],
  )
})
