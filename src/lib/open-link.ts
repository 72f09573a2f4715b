/** Shows a link in the user's browser, when there is one. Nothing waits for it and nothing fails without it. */
import { spawn } from 'node:child_process'

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

export function openLink(link: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...words, link], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
