/** The process of an extension: it finds the Copilot SDK where the server says, and ends with the server. */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const SDK = '@github/copilot-sdk'
const folder = process.env['COPILOT_SDK_PATH'] ?? ''
const files: Readonly<Record<string, string>> = {
  [SDK]: 'index.js',
  [`${SDK}/extension`]: 'extension.js',
}

registerHooks({
  resolve(specifier, context, next) {
    const file = files[specifier]
    if (file === undefined) return next(specifier, context)
    return { url: pathToFileURL(join(folder, file)).href, shortCircuit: true }
  },
})

process.stdin.once('end', () => process.exit())
await import(pathToFileURL(process.env['EXTENSION_PATH'] ?? '').href)
