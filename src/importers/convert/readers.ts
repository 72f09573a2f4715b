/** The readers by agent. */
import { readAider } from '../aider/read.ts'
import { readClaude } from '../claude/read.ts'
import { readCline } from '../cline/read.ts'
import { readCodex } from '../codex/read.ts'
import { readCopilotLegacy } from '../copilot/read-legacy.ts'
import { readCursor } from '../cursor/read.ts'
import { readGemini } from '../gemini/read.ts'
import { readGoose } from '../goose/read.ts'
import { readOpencode } from '../opencode/read.ts'
import { readPi } from '../pi/read.ts'
import type { AgentName, Reader } from './port.ts'
import { readQwen } from '../qwen/read.ts'

export const readers: Readonly<Record<AgentName, Reader>> = {
  claude: readClaude,
  codex: readCodex,
  copilot: readCopilotLegacy,
  gemini: readGemini,
  qwen: readQwen,
  opencode: readOpencode,
  pi: readPi,
  cursor: readCursor,
  aider: readAider,
  cline: readCline,
  goose: readGoose,
}

/** What people call it. */
export const agentTitles: Readonly<Record<AgentName, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  copilot: 'Copilot CLI',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  opencode: 'opencode',
  pi: 'pi',
  cursor: 'Cursor',
  aider: 'Aider',
  cline: 'Cline',
  goose: 'Goose',
}
