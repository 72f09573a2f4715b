/** The plugin that a folder of skills belongs to: the nearest folder above it with a manifest. */
import { dirname, join } from 'node:path'
import { readSmallText } from '../lib/small-text.ts'

const MANIFESTS = [
  'plugin.json',
  '.plugin/plugin.json',
  '.github/plugin/plugin.json',
  '.claude-plugin/plugin.json',
]

/** A manifest names its folders within its own: they lie no deeper than this. */
const DEEPEST = 2

export async function pluginOf(folder: string): Promise<string | undefined> {
  for (let at = dirname(folder), depth = 0; depth < DEEPEST; at = dirname(at), depth++)
    for (const manifest of MANIFESTS) {
      const name = await nameIn(join(at, manifest))
      if (name !== undefined) return name
    }
  return undefined
}

async function nameIn(path: string): Promise<string | undefined> {
  const text = await readSmallText(path)
  if (text === undefined) return undefined
  try {
    const { name } = (JSON.parse(text) ?? {}) as { name?: unknown }
    return typeof name === 'string' && name !== '' ? name : undefined
  } catch {
    // A manifest that is damaged names no plugin; where plugins are loaded it is told.
    return undefined
  }
}
