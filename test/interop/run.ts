/**
 * The genuine Copilot CLI and Reprise on the same sessions: `npm run interop`. Needs the npm registry once;
 * everything else happens on this machine. Prints a line a check and ends with 1 when one failed. Words after
 * the command choose the stories whose titles contain them.
 */
import { checkAcpAgents } from './acp.ts'
import { checkAcpSdks } from './acp-sdks.ts'
import { checkAcpWrapper } from './acp-wrapper.ts'
import { checkAgentMatrix } from './agent-matrix.ts'
import { checkBytes } from './bytes.ts'
import { checkCalls } from './calls.ts'
import { checkDrift } from './drift.ts'
import { checkDurableStreams } from './durable-streams.ts'
import { checkEveryType } from './every-type.ts'
import { checkGiving } from './giving.ts'
import { checkLeftBehind } from './left-behind.ts'
import { checkPrograms } from './programs.ts'
import { checkLocks } from './locks.ts'
import { checkMigrated } from './migrated.ts'
import { checkWrittenByCopilot } from './written-by-copilot.ts'
import { checkWrittenByReprise } from './written-by-reprise.ts'
import { checkThings } from './things.ts'
import { checkMissionControl } from './mission-control.ts'
import { openChecks, seconds } from './checks.ts'
import { install } from './install.ts'
import { startModel } from './model.ts'
import { openPlace } from './place.ts'

const stories = {
  'A session written by Reprise': checkWrittenByReprise,
  'A session written by the Copilot CLI': checkWrittenByCopilot,
  'A session that a killed Copilot CLI left behind': checkLeftBehind,
  'A home of the Copilot CLI, migrated': checkMigrated,
  'A session that one of them has open': checkLocks,
  'Events of the Copilot CLI against our schemas': checkDrift,
  'Our events in front of the Copilot CLI': checkEveryType,
  'Bytes of both': checkBytes,
  'A program of the SDK with either behind it': checkPrograms,
  'A session given to other agents, and back': checkGiving,
  'Calls of the SDK, one by one, with either behind it': checkCalls,
  'What programs of the SDK do, thing by thing': checkThings,
  'ACP agents behind Reprise': checkAcpAgents,
  'An editor with opencode behind reprise acp': checkAcpWrapper,
  'Editors of every ACP SDK, 0.4 to 2.4': checkAcpSdks,
  'Known agents behind reprise acp, agent by flow': checkAgentMatrix,
  'Three programs on one Mission Control': checkMissionControl,
  'The conformance suite of Durable Streams': checkDurableStreams,
}

const BUDGET_MS = 2_400_000

const write = (line: string) => void process.stdout.write(`${line}\n`)

async function run(): Promise<number> {
  const start = performance.now()
  const program = await install()
  write(`The Copilot CLI is ready (${seconds(start)}).`)
  await using model = await startModel()
  const checks = openChecks(write)
  const only = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  for (const [title, checkAll] of Object.entries(stories)) {
    if (only.length > 0 && !only.some((part) => title.includes(part))) continue
    write(`\n${title}`)
    await using place = await openPlace(program, model)
    await checkAll(checks, place).catch((error: unknown) =>
      checks.check('this story goes on to its end', () => {
        throw error
      }),
    )
  }
  write(`\n${checks.passed} passed, ${checks.failed} failed (${seconds(start)})`)
  return checks.failed === 0 ? 0 : 1
}

const late = setTimeout(() => {
  write(`The checks took longer than ${BUDGET_MS / 60_000} minutes.`)
  process.exit(1)
}, BUDGET_MS)
process.exitCode = await run()
clearTimeout(late)
