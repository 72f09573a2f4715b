/** The plan of a session. */
import { z } from 'zod'
import { inSession } from '../../../format/paths.ts'
import { passOn, sessionMethod, type Methods } from '../method.ts'
import { readDependencies, readTodos } from '../todos.ts'
import { workspaceOf } from './session.ts'

export const planMethods: Methods = {
  'session.plan.read': sessionMethod('The plan, if there is one.', async (session) => {
    const { ops } = session
    const content = ops.now?.hasLog === true ? await ops.readPlan() : undefined
    return {
      exists: content !== undefined,
      content: content ?? null,
      path: inSession(workspaceOf(session), 'plan'),
    }
  }),
  'session.plan.update': passOn('writePlan', {
    summary: 'Writes the plan.',
    takes: { content: z.string() },
    to: ({ content }) => [content],
  }),
  'session.plan.delete': passOn('deletePlan', { summary: 'Removes the plan.' }),
  'session.plan.readSqlTodos': sessionMethod(
    'The steps that the agent keeps in the table todos of its database.',
    async (session) => ({ rows: await readTodos(session) }),
  ),
  'session.plan.readSqlTodosWithDependencies': sessionMethod(
    'The same, and which step waits for which.',
    async (session) => {
      const rows = await readTodos(session)
      return { rows, dependencies: rows.length === 0 ? [] : await readDependencies(session) }
    },
  ),
}
