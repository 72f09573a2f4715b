/** Genuine ACP agents with the fake model behind them, each with a home of its own that a check may throw away. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { AcpOptions } from '../../src/agents/acp/acp.ts'
import { knownAgents } from '../../src/agents/acp/known.ts'
import { MODEL, type FakeModel } from './model.ts'

export type AgentName = keyof typeof knownAgents

export interface AcpProgram extends AsyncDisposable {
  readonly name: AgentName
  readonly version: string
  /** Orders for the model that have it use the agent's own tools. */
  readonly orders: Orders
  /** With its home as it is, or with a fresh one. */
  options(home: 'kept' | 'fresh'): Promise<AcpOptions>
}

type Orders = {
  shell(command: string): string
  write(path: string, text: string): string
}

type Program = {
  readonly version: string
  /** Below `node_modules`. */
  readonly file: string
  readonly orders: Orders
  /** Writes what it reads from its home, and gives its environment. */
  prepare(home: string, model: FakeModel): Promise<Readonly<Record<string, string>>>
}

const order = (tool: string, args: object) => `<<call ${tool} ${JSON.stringify(args)}>>`
const platform = `${process.platform}-${process.arch}`

const programs: Readonly<Record<AgentName, Program>> = {
  opencode: {
    version: '1.18.33',
    file: `opencode-${platform}/bin/opencode`,
    orders: {
      shell: (command) => order('bash', { command, description: 'as asked' }),
      write: (filePath, content) => order('write', { filePath, content }),
    },
    async prepare(home, model) {
      await put(home, '.config/opencode/opencode.json', JSON.stringify(opencodeConfig(model)))
      return {
        XDG_CONFIG_HOME: join(home, '.config'),
        XDG_DATA_HOME: join(home, '.local/share'),
        XDG_CACHE_HOME: join(home, '.cache'),
        XDG_STATE_HOME: join(home, '.local/state'),
        OPENCODE_DISABLE_AUTOUPDATE: 'true',
        OPENCODE_DISABLE_MODELS_FETCH: 'true',
      }
    },
  },
  copilot: {
    version: '1.0.102',
    file: `@github/copilot-${platform}/copilot`,
    orders: {
      shell: (command) => order('bash', { command, description: 'as asked' }),
      write: (path, file_text) => order('create', { path, file_text }),
    },
    prepare: async (home, model) => ({
      XDG_CACHE_HOME: join(folderOf(), 'unpacked'),
      COPILOT_HOME: home,
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: model.baseUrl,
      COPILOT_MODEL: MODEL,
    }),
  },
  claude: {
    version: '0.99.1',
    file: '.bin/claude-agent-acp',
    orders: {
      shell: (command) => order('Bash', { command, description: 'as asked' }),
      write: (file_path, content) => order('Write', { file_path, content }),
    },
    prepare: async (home, model) => ({
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ANTHROPIC_BASE_URL: model.origin,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1',
    }),
  },
  codex: {
    version: '2.6.0',
    file: '.bin/codex-acp',
    orders: {
      shell: (cmd) => order('exec_command', { cmd }),
      write: (path, text) => order('exec_command', { cmd: `printf %s '${text}' > '${path}'` }),
    },
    async prepare(home, model) {
      await put(home, '.codex/config.toml', codexConfig(model))
      return { CODEX_HOME: join(home, '.codex') }
    },
  },
  qwen: {
    version: '0.24.4',
    file: '.bin/qwen',
    orders: {
      shell: (command) => order('run_shell_command', { command, is_background: false }),
      write: (file_path, content) => order('write_file', { file_path, content }),
    },
    async prepare(home, model) {
      await put(
        home,
        '.qwen/settings.json',
        '{"security":{"auth":{"selectedType":"openai"}},"general":{"disableAutoUpdate":true}}',
      )
      return { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: MODEL }
    },
  },
  gemini: {
    version: '0.61.0',
    file: '.bin/gemini',
    orders: {
      shell: (command) => order('run_shell_command', { command, description: 'as asked' }),
      write: (file_path, content) => order('write_file', { file_path, content }),
    },
    async prepare(home, model) {
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        model: { name: 'gemini-2.5-pro' },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }
      await put(home, '.gemini/settings.json', JSON.stringify(settings))
      return { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model.origin }
    },
  },
}

async function put(home: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), text)
}

const opencodeConfig = (model: FakeModel) => ({
  model: `fake/${MODEL}`,
  small_model: `fake/${MODEL}`,
  autoupdate: false,
  share: 'disabled',
  provider: {
    fake: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Fake',
      options: { baseURL: model.baseUrl, apiKey: 'none' },
      models: { [MODEL]: { name: 'Fake', tool_call: true } },
    },
  },
})

const codexConfig = (model: FakeModel) => `model = "${MODEL}"
model_provider = "fake"
[model_providers.fake]
name = "Fake"
base_url = "${model.baseUrl}"
wire_api = "responses"
`

export const agentNames = Object.keys(programs) as AgentName[]

/** Undefined where the registry or a program for this machine is missing. */
export async function openProgram(
  name: AgentName,
  model: FakeModel,
): Promise<AcpProgram | undefined> {
  const { version, file, orders, prepare } = programs[name]
  const folder = await installed()
  const command = join(folder, 'node_modules', file)
  if (!existsSync(command)) return undefined
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  const homes: string[] = []
  return {
    name,
    version,
    orders,
    async options(home) {
      const last = homes.at(-1)
      const mine =
        home === 'kept' && last !== undefined
          ? last
          : await mkdtemp(join(tmpdir(), `reprise-interop-${name}-`))
      if (mine !== last) homes.push(mine)
      const env = { PATH: path, HOME: mine, ...(await prepare(mine, model)) }
      const extra = name === 'copilot' ? ['--no-auto-update'] : []
      return {
        ...knownAgents[name],
        name,
        command,
        args: [...knownAgents[name].args, ...extra],
        env,
      }
    },
    async [Symbol.asyncDispose]() {
      for (const home of homes) await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const folderOf = () =>
  process.env['REPRISE_INTEROP_AGENTS'] ?? join(tmpdir(), 'reprise-interop-agents')

const wanted = () => ({
  'opencode-ai': programs.opencode.version,
  '@github/copilot': programs.copilot.version,
  '@agentclientprotocol/claude-agent-acp': programs.claude.version,
  '@agentclientprotocol/codex-acp': programs.codex.version,
  '@qwen-code/qwen-code': programs.qwen.version,
  '@google/gemini-cli': programs.gemini.version,
})

/** All of them in one folder under the system's temporary folder; used again while the versions are the same. */
async function installed(): Promise<string> {
  const folder = folderOf()
  const list = JSON.stringify({ private: true, dependencies: wanted() })
  const file = join(folder, 'wanted.json')
  if ((await readFile(file, 'utf8').catch(() => '')) === list) return folder
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, 'package.json'), list)
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--force']
  await new Promise<void>((resolve) => {
    const child = spawn('npm', args, { cwd: folder, stdio: 'ignore', timeout: 900_000 })
    child.on('error', () => resolve())
    child.on('exit', () => resolve())
  })
  await writeFile(file, list)
  return folder
}
