/** The session handle, here and next door. `test/remote/far.test.ts` has the far one run through the same suite. */
import type { Session } from '../../src/engine/session.ts'
import { startWorker } from '../inbox/start-worker.ts'
import { converse, openHome } from '../support/engine.ts'
import { obedient } from '../support/obedient.ts'
import { sessionContract, until } from './session.ts'

const begun = (session: Session) => until(async () => (await session.state()).openTurns.length > 0)

sessionContract({
  name: 'here',
  async open() {
    const home = await openHome()
    const engine = home.engine({ script: obedient, answersQuestions: true })
    const session = await engine.create()
    await converse(engine, session.id, { prompt: 'first' })
    return {
      session,
      async begin(prompt) {
        await session.send({ prompt })
        await begun(session)
      },
      [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
    }
  },
  without: {
    unreachable: 'a session in this process is always reached',
    waits: 'a session in this process waits for no machine',
  },
})

sessionContract({
  name: 'next door',
  async open() {
    const home = await openHome()
    const worker = await startWorker(home.path)
    const engine = home.engine({ script: obedient, answersQuestions: true })
    const session = await engine.open(worker.id)
    return {
      session,
      async begin(prompt) {
        worker.send(prompt)
        await begun(session)
      },
      cutOff: async () => worker.signal('SIGSTOP'),
      async [Symbol.asyncDispose]() {
        await worker.kill()
        await home[Symbol.asyncDispose]()
      },
    }
  },
  without: { waits: 'a request that is not taken in time is withdrawn, not kept for later' },
})
