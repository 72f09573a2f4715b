/** Paths for completion behind an `@`: files and folders of the project, and of any place that is typed. */
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const exec = promisify(execFile)

const MOST_FILES = 20_000

/** A file that is made while a person types is offered with the next word. */
const FRESH_MS = 1000

/** `typed` is what stands behind the `@`. */
export function createPathList(cwd: string): (typed: string) => Promise<readonly string[]> {
  let known: Promise<readonly string[]> | undefined
  let until = 0
  return (typed) => {
    if (/^(?:\/|~\/|\.\.?\/)/.test(typed)) return pathsAt(typed, cwd)
    if (known === undefined || Date.now() > until) {
      known = filesIn(cwd).then(withFolders)
      until = Date.now() + FRESH_MS
    }
    return known
  }
}

/** What git knows of and what is new; without git, what lies in the directory, as deep as it is not hidden. */
async function filesIn(cwd: string): Promise<readonly string[]> {
  try {
    const { stdout } = await exec('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd,
      maxBuffer: 32 * 1024 * 1024,
    })
    return stdout.split('\0').filter(Boolean).slice(0, MOST_FILES)
  } catch {
    // No git, or no repository.
    return filesBelow(cwd)
  }
}

async function filesBelow(cwd: string): Promise<readonly string[]> {
  const found: string[] = []
  const waiting = ['']
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    // One that cannot be read has nothing to offer.
    const entries = await readdir(join(cwd, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) waiting.push(path)
      else found.push(path)
    }
    if (found.length >= MOST_FILES) break
  }
  return found
}

function withFolders(files: readonly string[]): readonly string[] {
  const folders = new Set<string>()
  for (const file of files)
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
      if (folders.has(`${folder}/`)) break
      folders.add(`${folder}/`)
    }
  return [...folders, ...files]
}

/** The names in the folder that is typed, written as it is. */
async function pathsAt(typed: string, cwd: string): Promise<readonly string[]> {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1)
  const place = folder.startsWith('~/') ? join(homedir(), folder.slice(2)) : resolve(cwd, folder)
  // A place that is not there has nothing to offer.
  const entries = await readdir(place, { withFileTypes: true }).catch(() => [])
  return entries.map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
}
