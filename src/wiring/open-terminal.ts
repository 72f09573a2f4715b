/** Wires the terminal: what it may know of this machine and of all sessions. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { changeConfig } from '../config/change-config.ts'
import { readConfig } from '../config/load.ts'
import { openDisk } from '../fs/disk.ts'
import { isSessionId } from '../format/ids.ts'
import { SESSIONS } from '../format/paths.ts'
import type { TerminalOptions } from '../surfaces/cli/command.ts'
import { copyOutside } from './copy-outside.ts'
import { editOutside } from './edit-outside.ts'
import { suspend } from './suspend.ts'
import { followUnseen } from './follow-unseen.ts'
import { agentsToConnect } from './connect-agents.ts'
import { agentsHere } from './known-agents.ts'
import { followKickstarts } from './follow-kickstarts.ts'
import { allowedCommandsIn } from './allowed-commands.ts'
import { guestLinks } from './guest-links.ts'
import { openHomeServices } from './home-services.ts'
import { clipboardPicture, pictureAt } from './pictures.ts'
import { createPathList } from './project-paths.ts'
import type { TuiOptions } from '../surfaces/tui/options.ts'

export async function openTerminal(
  given: TerminalOptions,
  { version, env }: { readonly version: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  await using unseen = followUnseen(given.engine)
  const past = openHomeServices({ home: given.home, env, store: given.store })
  await using guests = guestLinks({ ...given, version, past })
  const options: TuiOptions = {
    ...given,
    version,
    env,
    now: () => new Date(),
    lookAround: async () => ({ agents: agentsHere(), others: await othersHere(given.home) }),
    agents: agentsToConnect({
      fs: given.engine.fs,
      home: given.home,
      cwd: given.cwd,
      wishes: given.wishes,
      version,
      env,
    }),
    listFiles: createPathList(given.cwd),
    pictures: { at: (path) => pictureAt(path, given.cwd), inClipboard: clipboardPicture },
    editOutside: (text) => editOutside(text, env),
    copyOutside: (text) => copyOutside(text, env),
    suspend,
    past,
    seen: unseen.seen,
    guests,
    allowedCommands: allowedCommandsIn(given.engine.fs),
    saveLook: async (look) => {
      await changeConfig(given.engine.fs, (now) => ({
        ...now,
        terminal: { ...now.terminal, ...look },
      }))
    },
    // A configuration that cannot be read is told by what needs it.
    settings: (await readConfig(given.engine.fs).catch(() => undefined))?.terminal ?? {},
  }
  const ended = new AbortController()
  const kickstarts = { fs: given.engine.fs, open: () => given.engine }
  if (given.takesKickstarts) void followKickstarts(kickstarts, env, ended.signal).catch(() => {}) // the settings say what is wrong with them
  try {
    // Such a terminal, as that of a shell in an editor, can move no cursor.
    if (given.isPlain || env['TERM'] === 'dumb') {
      const { runPlain } = await import('../surfaces/tui/plain/run-plain.ts')
      await runPlain(options, {
        input: process.stdin,
        output: process.stdout,
        isInteractive: process.stdin.isTTY,
        onInterrupt,
      })
    } else {
      const { runTui } = await import('../surfaces/tui/run.ts')
      await runTui(options)
    }
  } finally {
    ended.abort()
    await past.close()
  }
}

/** A ctrl+c that interrupts something ends nothing else; any other is for those that listened before. */
function onInterrupt(interrupt: () => boolean): Disposable {
  const others = process.listeners('SIGINT')
  const listen = (signal: 'SIGINT') => {
    if (!process.stdin.isTTY || !interrupt()) for (const other of others) other(signal)
  }
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', listen)
  return {
    [Symbol.dispose]() {
      process.off('SIGINT', listen)
      for (const other of others) process.on('SIGINT', other)
    },
  }
}

async function othersHere(home: string): Promise<number> {
  const other = join(homedir(), '.copilot')
  if (home === other) return 0
  return (await openDisk(other).list(SESSIONS)).filter(({ name }) => isSessionId(name)).length
}
