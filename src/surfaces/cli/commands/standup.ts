/** `chronicle standup`. */
import type { Run } from '../command.ts'
import { showReport } from '../show-report.ts'

export const run: Run = (cli, given) => showReport(cli, given, 'standup')
