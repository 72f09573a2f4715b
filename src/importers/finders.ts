/** Where each agent keeps its sessions. */
import type { AgentName } from './convert/port.ts'
import { cursor, goose, opencode } from './find/databases.ts'
import { aider, cline, copilot } from './find/files.ts'
import { claude, codex, gemini, pi, qwen } from './find/lines.ts'
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
