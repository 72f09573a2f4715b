/**
 * Makes the golden files of test/interchange/golden anew, with the genuine agents against a model on the loopback:
 *
 *     node test/interchange/making/make.ts <folder with node_modules of the agents> <where to> [agent …]
 *
 * `npm install @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai @qwen-code/qwen-code
 * @github/copilot @earendil-works/pi-coding-agent` makes the first folder. What each agent is asked stands in
 * recipes.ts; the files are taken as they are, but for the random part of a port.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { startSteeredModel } from './model.ts'
import { recipes } from './recipes.ts'

const [peers = '', target = '', ...only] = process.argv.slice(2)
const PLACE = '/tmp/reprise-golden'

for (const [agent, make] of Object.entries(recipes)) {
  if (only.length > 0 && !only.includes(agent)) continue
  await using model = await startSteeredModel()
  const home = join(PLACE, 'home')
  const project = join(PLACE, 'project')
  await rm(PLACE, { recursive: true, force: true })
  await mkdir(join(project, '.git/refs/heads'), { recursive: true })
  await mkdir(join(project, '.git/objects'))
  await mkdir(home)
  const to = resolve(target, agent)
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { recursive: true })
  process.stdout.write(`${agent}\n`)
  await make({ model, home, project, to, bin: resolve(peers, 'node_modules/.bin') })
}
