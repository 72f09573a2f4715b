/** Genuine ACP agents with the fake model behind them, each with a home of its own that a check may throw away. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AcpOptions } from '../../src/agents/acp/acp.ts'
import { knownAgents } from '../../src/agents/acp/known.ts'
import { MODEL } from './model.ts'
import type { Place } from './place.ts'

export const OPENCODE = '1.18.33'

export interface AcpProgram extends AsyncDisposable {
  readonly name: string
  /** With its home as it is, or with a fresh one. */
  options(home: 'kept' | 'fresh'): Promise<AcpOptions>
}

export const openCopilot = (place: Place): AcpProgram =>
  program('copilot', async (home) => ({
    ...knownAgents.copilot,
    command: place.program.copilot,
    args: ['--acp', '--no-auto-update'],
    env: {
      HOME: home,
      XDG_CACHE_HOME: place.program.cache,
      COPILOT_HOME: home,
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: place.model.baseUrl,
      COPILOT_MODEL: MODEL,
    },
  }))

export const openOpencode = (place: Place, command: string): AcpProgram =>
  program('opencode', async (home) => {
    const folder = join(home, '.config/opencode')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'opencode.json'), JSON.stringify(opencodeConfig(place)))
    const env = {
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local/share'),
      XDG_CACHE_HOME: join(home, '.cache'),
      XDG_STATE_HOME: join(home, '.local/state'),
      OPENCODE_DISABLE_AUTOUPDATE: 'true',
      OPENCODE_DISABLE_MODELS_FETCH: 'true',
    }
    return { ...knownAgents.opencode, command, env }
  })

const opencodeConfig = ({ model }: Place) => ({
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

function program(
  name: string,
  optionsIn: (home: string) => Promise<Omit<AcpOptions, 'name'>>,
): AcpProgram {
  const homes: string[] = []
  return {
    name,
    async options(home) {
      const last = homes.at(-1)
      const folder =
        home === 'kept' && last !== undefined
          ? last
          : await mkdtemp(join(tmpdir(), `reprise-interop-${name}-`))
      if (folder !== last) homes.push(folder)
      return { ...(await optionsIn(folder)), name }
    },
    async [Symbol.asyncDispose]() {
      for (const home of homes) await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Undefined where the registry or a program for this machine is missing. */
export async function installOpencode(): Promise<string | undefined> {
  const folder = join(tmpdir(), `reprise-interop-opencode-${OPENCODE}`)
  const name = `opencode-${process.platform}-${process.arch}`
  const found = join(folder, 'node_modules', name, 'bin/opencode')
  if (existsSync(found)) return found
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const dependencies = { 'opencode-ai': OPENCODE }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--force']
  await new Promise<void>((resolve) => {
    const child = spawn('npm', args, { cwd: folder, stdio: 'ignore', timeout: 300_000 })
    child.on('error', () => resolve())
    child.on('exit', () => resolve())
  })
  return existsSync(found) ? found : undefined
}
