/** The service of the user: one file, told to the system, and taken back. The system here is a script that notes it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { launchdPlist, systemdUnit } from '../../src/importers/service-file.ts'
import { makePlace, type Place } from '../e2e/cli.ts'

const skip = process.platform === 'linux' ? false : 'the file of systemd is looked at'

function withSystem(place: Place, ends: number) {
  const bin = join(dirname(place.home), 'bin')
  const noted = join(bin, 'noted')
  mkdirSync(bin)
  const script = `#!/bin/sh\necho "$@" >> "${noted}"\nexit ${ends}\n`
  writeFileSync(join(bin, 'systemctl'), script)
  chmodSync(join(bin, 'systemctl'), 0o700)
  const env = { PATH: `${bin}:${process.env['PATH']}`, CLAUDE_CONFIG_DIR: '/some where/100%' }
  const path = join(dirname(place.home), '.config/systemd/user/reprise-import.service')
  return { env, path, noted: () => readFileSync(noted, 'utf8').trim().split('\n') }
}

test(
  '--service on writes one file and starts it, off stops it and takes it away',
  { skip },
  async () => {
    using place = makePlace()
    const { env, path, noted } = withSystem(place, 0)
    const on = await place.run(['import', '--service', 'on', '--from', 'claude, gemini'], { env })
    assert.equal(on.code, 0, on.stderr)
    assert.match(on.stdout, /taken over as they change/)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const unit = readFileSync(path, 'utf8')
    assert.match(
      unit,
      /ExecStart="[^"]+\/bin\/reprise" "import" "--watch" "--from" "claude,gemini"/,
    )
    assert.match(unit, /SuccessExitStatus=143/)
    assert.ok(unit.includes(`Environment="REPRISE_HOME=${place.home}"`))
    assert.ok(unit.includes('Environment="CLAUDE_CONFIG_DIR=/some where/100%%"'))
    const verified = spawnSync('systemd-analyze', ['--user', 'verify', path], { encoding: 'utf8' })
    // Where it is not installed, or has no place to work in, it says nothing of the file.
    if (verified.error === undefined)
      assert.ok(!verified.stderr.includes('reprise-import.service:'))
    const off = await place.run(['import', '--service', 'off'], { env })
    assert.match(off.stdout, /The service is no more/)
    assert.ok(!existsSync(path))
    const again = await place.run(['import', '--service', 'off'], { env })
    assert.match(again.stdout, /There was no service\. Nothing was changed\./)
    assert.deepEqual(noted(), [
      '--user daemon-reload',
      '--user enable reprise-import',
      '--user restart reprise-import',
      '--user disable --now reprise-import',
    ])
  },
)

test('a system that does not answer is told of, and what to say to it', { skip }, async () => {
  using place = makePlace()
  const { env, path } = withSystem(place, 1)
  const { code, stdout } = await place.run(['import', '--service', 'on'], { env })
  assert.equal(code, 0)
  assert.match(
    stdout,
    /Say it yourself: .*systemctl --user daemon-reload && systemctl --user enable/s,
  )
  assert.ok(existsSync(path))
})

test('a path is nothing for a service', { skip }, async () => {
  using place = makePlace()
  const { env, path } = withSystem(place, 0)
  const { code, stderr } = await place.run(
    ['import', '--service', 'on', '--from', 'claude', dirname(place.home)],
    { env },
  )
  assert.notEqual(code, 0)
  assert.match(stderr, /takes no path\. Nothing was changed/)
  assert.ok(!existsSync(path))
})

test('a file that somebody wrote by hand is left alone', { skip }, async () => {
  using place = makePlace()
  const { env, path } = withSystem(place, 0)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '[Service]\nExecStart=/bin/true\n')
  for (const how of ['on', 'off']) {
    const { code, stderr } = await place.run(['import', '--service', how], { env })
    assert.notEqual(code, 0)
    assert.match(stderr, /was not written by Reprise\. Nothing was changed/)
  }
  assert.equal(readFileSync(path, 'utf8'), '[Service]\nExecStart=/bin/true\n')
})

/** A plist as launchd takes it apart: keys with texts, lists, flags and dictionaries. Anything else fails. */
function plistOf(text: string): unknown {
  for (const [, comment = ''] of text.matchAll(/<!--(.*?)-->/gs)) assert.ok(!comment.includes('--'))
  const parts = text
    .replace(/<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>/gs, '')
    .split(/(<[^>]*>)/)
    .filter((part) => part.trim() !== '')
  const next = () => parts.shift() ?? assert.fail('it ends too early')
  const words = (end: string) => {
    const said = parts[0] === end ? '' : next()
    assert.equal(next(), end)
    assert.ok(!/[<>]|&(?!#\d+;)/.test(said), said)
    return said.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  }
  const until = <T>(end: string, one: () => T): T[] => {
    const all: T[] = []
    while (parts[0] !== end) all.push(one())
    next()
    return all
  }
  const value = (): unknown => {
    const start = next()
    if (start === '<string>') return words('</string>')
    if (start === '<true/>' || start === '<false/>') return start === '<true/>'
    if (start === '<array>') return until('</array>', value)
    assert.equal(start, '<dict>')
    return Object.fromEntries(
      until('</dict>', () => (assert.equal(next(), '<key>'), [words('</key>'), value()])),
    )
  }
  assert.equal(next(), '<plist version="1.0">')
  const whole = value()
  assert.deepEqual([next(), ...parts], ['</plist>'])
  return whole
}

test('the file of launchd is well-formed and says the command', () => {
  const program = ['/Users/é & <co>/bin/reprise']
  const env = { REPRISE_HOME: '/Users/"x" & <y>/.reprise' }
  assert.deepEqual(plistOf(launchdPlist({ program, from: ['claude', 'gemini'], env })), {
    Label: 'reprise-import',
    ProgramArguments: [...program, 'import', '--watch', '--from', 'claude,gemini'],
    EnvironmentVariables: env,
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ProcessType: 'Background',
  })
})

test('the files hold any path', () => {
  const watching = {
    program: ['/a "b" \\ $c %d', 'é <&>'],
    from: [],
    env: { REPRISE_HOME: '/h & <i>' },
  }
  assert.match(
    systemdUnit(watching),
    /ExecStart="\/a \\"b\\" \\\\ \$\$c %%d" "é <&>" "import" "--watch"\n/,
  )
  const plist = launchdPlist(watching)
  assert.ok(plist.includes('<string>é &#60;&#38;&#62;</string>'))
  assert.ok(plist.includes('<string>/h &#38; &#60;i&#62;</string>'))
})
