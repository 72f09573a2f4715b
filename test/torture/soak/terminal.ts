/** The terminal in a window of tmux: sessions are begun, used, taken back, left and come back to. */
import { openDesk } from '../../e2e/tmux.ts'
import { homeWith, startSoakedModel } from './model.ts'
import { inspectable, type Soaked } from './soaked.ts'

const TURNS = 5

export async function soakTerminal(folder: string): Promise<Soaked> {
  const model = await startSoakedModel()
  const home = await homeWith(folder, model)
  const { inspector, env } = await inspectable()
  const desk = openDesk()
  const window = await desk.ready(['--allow-all'], {
    home,
    env: { ...env, REPRISE_AGENT: 'model' },
  })
  const say = (text: string) => window.says(text, `❯ ${text}`)
  return {
    measured: { pid: window.pid(), inspector },
    async live(nth) {
      for (let turn = 0; turn < TURNS; turn += 1)
        await say(turn === 2 ? `run echo soaked${nth}` : `What is ${nth}-${turn}?`)
      await window.says('/undo', /Took back/)
      if (nth % 3 === 0) await window.says('/rename kept', 'kept')
      window.enter('/new')
      await window.lacks('Took back')
    },
    async [Symbol.asyncDispose]() {
      window.kill('SIGKILL')
      // Until then it writes into the folder.
      await window.ends()
      desk[Symbol.dispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}
