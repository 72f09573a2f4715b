/** What the command line is wired with. Each part is loaded when a command asks for it. */
import { findHome } from '../config/home.ts'
import { openDisk } from '../fs/disk.ts'
import type { Host } from '../surfaces/cli/command.ts'
import { findDirectory } from './directory.ts'
import { keepDiagnostics } from './wire-telemetry.ts'

/** What belongs to the process: its words, its environment, its streams. */
type Process = Pick<Host, 'argv' | 'env' | 'version' | 'stdin' | 'stdout' | 'stderr'>

export function makeHost(process: Process): Host {
  const { argv, env, version, stdout, stderr } = process
  const around = { version, env }
  return {
    argv,
    env,
    version,
    // Opened at the first read: a list does not, and starts sooner.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    findHome: (given) => findHome(given, env),
    findDirectory,
    keepDiagnostics: ({ path }) => keepDiagnostics(path, env),
    findAgents: async (cwd, found) =>
      (await import('../agents/acp/discover.ts')).discoverAgents({ cwd, version }, found),
    openEngine: async (options) => (await import('./open-engine.ts')).openConfiguredEngine(options),
    unknownSettings: async (home) =>
      (await import('../config/load.ts')).unknownSettings(openDisk(home)),
    openTerminal: async (options) =>
      (await import('./open-terminal.ts')).openTerminal(options, around),
    openStore: async (options) => (await import('./open-store.ts')).openStoreAt(options),
    openRedactor: async (home) => (await import('./open-redactor.ts')).redactorOf(home),
    openFarStore: async (home) => (await import('./open-far-store.ts')).openFarStoreOf(home, env),
    exportSession: async (engine, wish) =>
      (await import('./export-session.ts')).exportTo(engine, wish),
    serveAcp: async (options) => (await import('./serve-acp.ts')).serveAcp(options, around),
    serveWeb: async (options) => (await import('./serve-web.ts')).serveWeb(options, around),
    serveControl: async (options) =>
      (await import('./serve-control.ts')).serveMissionControl(options, version),
    serveWorker: async (options) => (await import('./serve-worker.ts')).serveWorker(options),
    visitControl: async (place, work) =>
      (await import('./visit-control.ts')).visitControl(place, work),
    joinControl: async (url, options) =>
      (await import('./join-control.ts')).joinControl(url, options),
    serveRpc: async (options) => (await import('./serve-rpc.ts')).serveRpc(options, version),
  }
}
