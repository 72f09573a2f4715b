/** Agents that are known by name: how each is started, where it comes from, and what is odd about it. */
export type KnownAgent = {
  readonly title: string
  /** The program and what makes it speak the protocol. */
  readonly command: string
  readonly args: readonly string[]
  /** On npm. */
  readonly package: string
  /** It puts embedded resources into a file and shows its model only the name. */
  readonly hidesResources?: true
}

export const knownAgents = {
  copilot: {
    title: 'GitHub Copilot CLI',
    command: 'copilot',
    args: ['--acp'],
    package: '@github/copilot',
    hidesResources: true,
  },
  claude: {
    title: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    package: '@agentclientprotocol/claude-agent-acp',
  },
  codex: {
    title: 'Codex',
    command: 'codex-acp',
    args: [],
    package: '@agentclientprotocol/codex-acp',
  },
  gemini: {
    title: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    package: '@google/gemini-cli',
  },
  opencode: {
    title: 'OpenCode',
    command: 'opencode',
    args: ['acp'],
    package: 'opencode-ai',
  },
  qwen: {
    title: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    package: '@qwen-code/qwen-code',
  },
} as const satisfies Readonly<Record<string, KnownAgent>>

type KnownName = keyof typeof knownAgents

export const isKnownName = (name: string): name is KnownName => Object.hasOwn(knownAgents, name)
