/** Whether commands run in a sandbox here, and what does not hold where they do not: for lists and for doctor. */
import { systemSandbox } from '../../lib/sandbox/system-sandbox.ts'
import type { SandboxOptions } from '../engine-context.ts'

type SandboxStanding = {
  readonly on: boolean
  readonly reason: 'none' | 'setting' | 'system'
  readonly says: string
}

export const withoutSandbox = (missing: string): string =>
  `Commands run without a sandbox: ${missing} Rules on paths hold for tools and for words that are written out in a command, not for what a program opens by itself (docs/permissions.md).`

export async function sandboxStanding(
  setting: SandboxOptions['setting'] = 'auto',
): Promise<SandboxStanding> {
  if (setting === 'off') {
    const missing = 'the setting sandbox is off, "reprise config set sandbox auto" turns it on.'
    return { on: false, reason: 'setting', says: withoutSandbox(missing) }
  }
  const system = await systemSandbox()
  if (!('missing' in system)) return { on: true, reason: 'none', says: '' }
  const says =
    setting === 'on'
      ? `No command is run, because sandbox is on: ${system.missing}`
      : withoutSandbox(system.missing)
  return { on: false, reason: 'system', says }
}
