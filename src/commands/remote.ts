/** `/remote`: whether this session can be watched and steered from elsewhere. */
import { z } from 'zod'
import { command } from './command.ts'

export const remote = command({
  name: 'remote',
  summary: 'watch and steer from elsewhere',
  changes: 'nothing',
  on: 'home',
  args: z.object({}),
  run: async () => ({ isConnected: false }),
  say: () => '/remote needs a Mission Control, and none is configured.',
})
