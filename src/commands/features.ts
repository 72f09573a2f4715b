/** `features`: what is on here and what is not, each with the reason; and the refusal of what is turned off. */
import { z } from 'zod'
import { featuresOf, howToTurnOn } from '../config/features.ts'
import type { Feature } from '../config/feature-names.ts'
import { readConfig } from '../config/load.ts'
import { sandboxStanding } from '../engine/turn/sandbox-standing.ts'
import { EngineError } from '../engine/errors.ts'
import { command } from './command.ts'
import { plain } from './markdown.ts'

export const features = command({
  name: 'features',
  summary: 'what is on and off here, and why',
  changes: 'nothing',
  on: 'home',
  args: z.object({}),
  async run({ engine, cwd }) {
    const [config, control, { repository }] = await Promise.all([
      readConfig(engine.fs),
      engine.remote?.(),
      engine.project(cwd),
    ])
    return {
      features: featuresOf(config, { isLoggedIn: control !== undefined, repository }),
      sandbox: await sandboxStanding(config.sandbox),
    }
  },
  say: ({ features: all, sandbox }) =>
    [...all, { name: 'sandbox', about: 'walls of the system around commands', ...sandbox }]
      .map(({ name, on, about, says }) =>
        [`- ${name}: ${on ? 'on' : 'off'}, ${plain(about)}.`, plain(says)].join(' ').trim(),
      )
      .join('\n'),
})

/** The refusal of what is turned off. */
export const featureOff = (name: Feature): EngineError =>
  new EngineError('invalid', `This is not used here. ${howToTurnOn(name)} Nothing was changed.`, {
    details: { feature: name },
  })
