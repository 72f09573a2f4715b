import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { copyOutside } from './copy-outside.ts'

const withPrograms = async (
  programs: Readonly<Record<string, string>>,
  use: (env: NodeJS.ProcessEnv, got: () => string | undefined) => Promise<void>,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-copy-'))
  const file = join(folder, 'got')
  try {
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(folder, name), 0o700)
    }
    const env = { PATH: [folder, '/usr/bin', '/bin'].join(delimiter), GOT: file }
    await use(env, () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const KEEPS = 'cat > "$GOT"'
const NEEDS_NO_W = `case "$*" in *-w*) exit 1;; esac; ${KEEPS}`
const text = 'ünï 日本\n'

test('a text goes to tmux, also to one that keeps it to itself', () =>
  withPrograms({ tmux: NEEDS_NO_W, 'wl-copy': 'exit 1' }, async (env, got) => {
    assert.equal(await copyOutside(text, { ...env, TMUX: 'x', WAYLAND_DISPLAY: 'y' }), true)
    assert.equal(got(), text)
  }))

test('a text goes to the first program of the desktop that takes it', () =>
  withPrograms({ 'wl-copy': 'exit 1', xclip: KEEPS }, async (env, got) => {
    assert.equal(await copyOutside(text, { ...env, WAYLAND_DISPLAY: 'x', DISPLAY: ':0' }), true)
    assert.equal(got(), text)
  }))

test('the terminal is asked from afar, and where there is no such program', () =>
  withPrograms({ xclip: KEEPS }, async (env, got) => {
    assert.equal(await copyOutside(text, { ...env, DISPLAY: ':0', SSH_TTY: '/dev/x' }), false)
    assert.equal(await copyOutside(text, { ...env, WAYLAND_DISPLAY: 'x' }), false)
    assert.equal(got(), undefined)
  }))
