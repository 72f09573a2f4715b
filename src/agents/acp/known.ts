/** Agents that are known by name: how each is started, where it comes from, and what is odd about it. */
export type KnownAgent = {
  readonly title: string
  /** The program and what makes it speak the protocol. */
  readonly command: string
  readonly args: readonly string[]
  /** Its name on npm. */
  readonly package: string
  /** It puts embedded resources into a file and shows its model only the name. */
  readonly hidesResources?: true
  /** It does some things without asking, whatever our rules say: in words, told when it starts to answer. */
  readonly ownRules?: string
  /** What makes it ask, or only read, where nobody is there to be asked: its mode, or the environment it starts in. */
  readonly unattended: { readonly mode?: string; readonly env?: Readonly<Record<string, string>> }
  /** What its numbers of tokens are: those of one answer, or of all answers since it was started. */
  readonly counts: 'per-answer' | 'running-total'
}

export const knownAgents = {
  copilot: {
    title: 'GitHub Copilot CLI',
    command: 'copilot',
    args: ['--acp'],
    package: '@github/copilot',
    unattended: {},
    counts: 'running-total',
    hidesResources: true,
  },
  claude: {
    title: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    package: '@agentclientprotocol/claude-agent-acp',
    unattended: { mode: 'default' },
    counts: 'per-answer',
  },
  codex: {
    title: 'Codex',
    command: 'codex-acp',
    args: [],
    package: '@agentclientprotocol/codex-acp',
    ownRules: 'It asks by its own rules: in its mode "agent" it writes in the project unasked.',
    unattended: { mode: 'read-only' },
    counts: 'per-answer',
  },
  gemini: {
    title: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    package: '@google/gemini-cli',
    unattended: { mode: 'default' },
    counts: 'per-answer',
  },
  opencode: {
    title: 'OpenCode',
    command: 'opencode',
    args: ['acp'],
    package: 'opencode-ai',
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
  },
  qwen: {
    title: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    package: '@qwen-code/qwen-code',
    unattended: { mode: 'default' },
    counts: 'per-answer',
  },
} as const satisfies Readonly<Record<string, KnownAgent>>

type KnownName = keyof typeof knownAgents

export const isKnownName = (name: string): name is KnownName => Object.hasOwn(knownAgents, name)
