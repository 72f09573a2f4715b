/** `sessions plan`. */
import { readAll } from '../ask.ts'
import type { Run } from '../command.ts'
import { usage } from '../command.ts'
import { findSession } from '../find-session.ts'
import { dim } from '../render/span.ts'

export const run: Run = async (cli, given) => {
  const text = given.text('set')
  if (text !== undefined && given.flag('delete')) throw usage('Give --set or --delete, not both.')
  const engine = await cli.engine()
  const id = await findSession(cli, engine, given.word(0) ?? '')
  if (text !== undefined) {
    await (
      await engine.open(id)
    ).writePlan(text === '-' ? await readAll(cli.host.stdin, cli.signal) : text)
  }
  if (given.flag('delete')) await (await engine.open(id)).deletePlan()
  const plan = await (await engine.open(id)).readPlan()
  if (cli.json) cli.out.json({ id, plan: plan ?? null })
  else if (given.flag('delete')) cli.out.line('The plan is gone.')
  else if (text !== undefined) cli.out.line('The plan is set.')
  else if (plan === undefined) cli.out.line(dim('The session has no plan.'))
  else cli.out.block(plan)
}
