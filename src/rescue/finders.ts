/** Where each agent keeps its sessions. */
import type { AgentName } from '../interchange/port.ts'
import { cursor, goose, opencode } from './finders/databases.ts'
import { aider, cline, copilot } from './finders/files.ts'
import { claude, codex, gemini, pi, qwen } from './finders/lines.ts'
import type { Finder } from './found.ts'

export const finders: Readonly<Record<AgentName, Finder>> = {
  claude,
  codex,
  copilot,
  gemini,
  qwen,
  opencode,
  pi,
  cursor,
  aider,
  cline,
  goose,
}
