/** What each genuine agent is asked, and which of its files are kept. */
import { claude } from './claude.ts'
import { copilot } from './copilot.ts'
import type { Making } from './making.ts'
import { codex, gemini, opencode, pi, qwen } from './others.ts'

export const recipes: Readonly<Record<string, (making: Making) => Promise<void>>> = {
  claude,
  codex,
  copilot,
  gemini,
  qwen,
  opencode,
  pi,
}
