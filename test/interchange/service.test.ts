/** The service of the user: one file, told to the system, and taken back. The system here is a script that notes it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { launchdPlist, systemdUnit } from '../../src/rescue/service-file.ts'
import { makePlace } from '../e2e/cli.ts'
import type { Place } from '../e2e/cli.ts'

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
    const on = await place.run(['import', '--service', 'on', '--from', 'claude,gemini'], { env })
    assert.equal(on.code, 0, on.stderr)
    assert.match(on.stdout, /taken over as they change/)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const unit = readFileSync(path, 'utf8')
    assert.match(
      unit,
      /ExecStart="[^"]+\/bin\/reprise" "import" "--watch" "--from" "claude,gemini"/,
    )
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
