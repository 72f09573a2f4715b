/** Agents that are known by name: how each is started, where it comes from, and what is odd about it. */
import { copilotStore } from './copilot-store.ts'
import { geminiStore } from './gemini-store.ts'
import { opencodeStore } from './opencode-store.ts'
import { qwenStore } from './qwen-store.ts'
import type { MemoryOddities } from './restoring.ts'

export type KnownAgent = {
  readonly title: string
  /** The program and what makes it speak the protocol. */
  readonly command: string
  readonly args: readonly string[]
  /** Its name on npm. */
  readonly package: string
  readonly memory?: MemoryOddities
  /** It takes a file that is not there for a failure of ours: it reads and writes by itself. */
  readonly withoutFiles?: true
  /** It does some things without asking, whatever our rules say: in words, told when it starts to answer. */
  readonly ownRules?: string
  /** What it asks before it does it, and what it never asks, in words. */
  readonly asks: { readonly before: string; readonly never: string }
  /** What makes it ask, or only read, where nobody is there to be asked: its mode, or the environment it starts in. */
  readonly unattended: { readonly mode?: string; readonly env?: Readonly<Record<string, string>> }
  /** How it is put into plan mode, where that cannot be seen from its modes. */
  readonly plan?: readonly { readonly id: string; readonly value: string }[]
  /** What its numbers of tokens are: those of one answer, or of all answers since it was started. */
  readonly counts: 'per-answer' | 'running-total'
}

export const knownAgents = {
  copilot: {
    title: 'GitHub Copilot CLI',
    command: 'copilot',
    args: ['--acp'],
    package: '@github/copilot',
    asks: { before: 'commands, writing, addresses', never: 'reading in the project' },
    unattended: {},
    counts: 'running-total',
    // It puts embedded resources into a file and shows its model only the name.
    memory: { asText: true, store: copilotStore, notes: /^(?:Info|Warning|Error):/ },
  },
  claude: {
    title: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    package: '@agentclientprotocol/claude-agent-acp',
    asks: { before: 'commands, writing', never: 'reading, commands that only look' },
    unattended: { mode: 'default' },
    counts: 'per-answer',
    memory: { forksAtMessage: true, costsOfFork: 'from-zero' },
  },
  codex: {
    title: 'Codex',
    command: 'codex-acp',
    args: [],
    package: '@agentclientprotocol/codex-acp',
    asks: { before: 'what leaves its sandbox', never: 'commands and writing in the project' },
    ownRules: 'It asks by its own rules: in its mode "agent" it writes in the project unasked.',
    unattended: { mode: 'read-only' },
    plan: [
      { id: 'mode', value: 'read-only' },
      { id: 'collaboration_mode', value: 'plan' },
    ],
    counts: 'per-answer',
    memory: { forksAtMessage: true },
  },
  gemini: {
    title: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    package: '@google/gemini-cli',
    asks: { before: 'commands, writing', never: 'reading in the project' },
    withoutFiles: true,
    unattended: { mode: 'default' },
    counts: 'per-answer',
    memory: { store: geminiStore },
  },
  opencode: {
    title: 'OpenCode',
    command: 'opencode',
    args: ['acp'],
    package: 'opencode-ai',
    asks: { before: 'what its "permission" says', never: 'anything else: by default nothing' },
    ownRules: 'It asks by its own rules: only for what its configuration has under "permission".',
    unattended: {
      env: {
        OPENCODE_PERMISSION: JSON.stringify({
          edit: 'ask',
          bash: 'ask',
          webfetch: 'ask',
          external_directory: 'ask',
        }),
      },
    },
    counts: 'per-answer',
    memory: { store: opencodeStore },
  },
  qwen: {
    title: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    package: '@qwen-code/qwen-code',
    asks: { before: 'what its classifier finds risky', never: 'writing in the project' },
    // It does not keep embedded resources in its own session.
    memory: { asText: true, store: qwenStore },
    unattended: { mode: 'default' },
    counts: 'per-answer',
  },
} as const satisfies Readonly<Record<string, KnownAgent>>

export type KnownName = keyof typeof knownAgents

export const knownNames = Object.keys(knownAgents) as readonly KnownName[]

export const isKnownName = (name: string): name is KnownName => Object.hasOwn(knownAgents, name)
