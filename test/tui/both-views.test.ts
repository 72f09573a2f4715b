/** What can be done in the terminal, on the whole screen and line by line: one list of deeds, two views. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import { runningIn } from '../../src/state/running.ts'
import { openHome, say, type Script } from '../support/engine.ts'
import { memoryEngine } from './screen.ts'
import { views } from './person.ts'
import { talk } from './script.ts'
import { make } from './views.ts'

const said = (text: string) => new RegExp(`You said \\W*${text}`)
const waits = (place: number, text: string) =>
  new RegExp(`${place} waits: ${text}|Queued \\(${place}\\)[^]*“${text}”`)
const allows = /enter, or a number|Allow it\?/

for (const [view, open] of views) {
  describe(`a turn, ${view}`, () => {
    it('is cancelled and leaves the session usable', async () => {
      await using person = open({ script: talk })
      await person.begins('wait')
      person.cancels()
      await person.shows('cancelled')
      await person.says('again', said('again'))
    })

    it('is cancelled by /cancel and told more by /tell', async () => {
      await using person = open({ script: talk })
      await person.begins('wait')
      await person.adds('/tell and this', 'and this')
      await person.adds('/cancel', 'cancelled')
      await person.rests()
    })

    it('asks before it writes, and refuses what is refused', async () => {
      await using person = open({ script: talk })
      await person.says('edit', allows)
      person.no()
      await person.shows('Then not.')
      await person.says('edit', allows)
      person.yes()
      await person.shows('Changed.')
    })

    it('takes a choice of a question by its number and an answer in words', async () => {
      await using person = open({ script: talk })
      await person.says('ask', /blue[^]*a number/i)
      await person.adds('2', 'It will be blue.')
      await person.says('ask', /blue[^]*a number/i)
      await person.adds('green', 'It will be green.')
    })

    it('lets messages wait, and holds them after a cancel until they are let go', async () => {
      await using person = open({ script: talk })
      await person.begins('wait')
      await person.adds('one', waits(1, 'one'))
      await person.adds('two', waits(2, 'two'))
      person.cancels()
      await person.shows('sends them')
      await person.says('', said('two'))
      await person.rests()
    })

    it('lets what waits be changed, moved and taken out', async () => {
      await using person = open({ script: talk })
      await person.begins('wait')
      for (const [at, text] of ['one', 'two', 'three'].entries())
        await person.adds(text, waits(at + 1, text))
      await person.adds('/queue', /one[^]*u .*moves up/)
      person.takes(1, 'd')
      await person.shows(/Waiting\n\W*(1\. )?two\s*\n\W*(2\. )?three/)
      person.takes(2, 'u')
      await person.shows(/Waiting\n\W*(1\. )?three\s*\n\W*(2\. )?two/)
      person.takes(1)
      await person.shows('The message')
      person.answers('three more')
      person.cancels()
      await person.shows('sends them')
      await person.says('', said('three more'))
      await person.shows(said('two'))
    })
  })

  describe(`time, ${view}`, () => {
    it('goes back with /undo, which gives the message back and sends nothing, and forth with /redo', async () => {
      await using person = open({ script: talk })
      await person.says('first', said('first'))
      await person.says('second', said('second'))
      await person.says('/undo', 'Took back 1 turn')
      await person.hasBack('second')
      await person.rests()
      assert.deepEqual(await prompts(person.engine), ['first'])
      await person.says('/redo', 'Redone')
      await person.rests()
      assert.deepEqual(await prompts(person.engine), ['first', 'second'])
    })

    it('goes back to a message of a list, when that is confirmed', async () => {
      await using person = open({ script: talk })
      for (const text of ['first', 'second', 'third']) await person.says(text, said(text))
      await person.says('/rewind', /third[^]*second[^]*first/)
      person.takes(2)
      await person.shows('Take back 2 turns')
      person.no()
      await person.says('/rewind', /third[^]*second[^]*first/)
      person.takes(2)
      await person.shows('Take back 2 turns')
      person.yes()
      await person.shows('Took back 2 turns')
      await person.hasBack('second')
      assert.deepEqual(await prompts(person.engine), ['first'])
    })

    it('gives the whole message back, however many events came after it', async () => {
      await using person = open({ script: chatty })
      const long = `a beginning ${'that goes on '.repeat(3)}to its end`
      await person.says('first', 'Once.')
      await person.says(long, 'Once.')
      await person.says('many', 'Said 2100')
      await person.says('/undo 2', 'Took back 2 turns')
      await person.hasBack(long)
    })

    it('forks, and goes back through the tree', async () => {
      await using person = open({ script: talk })
      await person.says('first', said('first'))
      await person.says('/fork side road', '"side road" is session')
      await person.says('/tree', '← here')
      person.takes(1)
      await person.shows('Forked to session')
      await person.says('main road', said('main road'))
      assert.deepEqual((await person.engine.list()).map(({ summary }) => summary).toSorted(), [
        'first',
        'first',
      ])
    })
  })

  describe(`sessions, ${view}`, () => {
    it('are narrowed by words, renamed, deleted and opened', async () => {
      await using person = open({ script: talk })
      await make(person.engine, ['fix the pump', 'oil the gears', 'paint the mill'])
      await person.says('/resume', /paint the mill[^]*oil the gears[^]*fix the pump/)
      person.takes(2, 'rename')
      await person.shows('The new name')
      person.answers('gears 2')
      await person.shows(/gears 2/)
      person.takes(2, 'delete')
      await person.shows('Delete "gears 2"?')
      person.yes()
      await person.shows(/paint the mill[^]*fix the pump/)
      person.narrows('pump')
      await person.shows(/1 of 2[^]*fix the pump/)
      person.takes(1)
      await person.shows(said('fix the pump'))
    })

    it('come back from the trash', async () => {
      await using person = open({ script: talk })
      await person.says('keep me', said('keep me'))
      await person.says('/session delete', 'Move this session to the trash')
      person.yes()
      await person.shows('Moved 1 session to the trash')
      await person.says('/session trash', /Bring back which session\?[^]*keep me/)
      person.takes(1)
      await person.shows('is back.')
      await person.shows(said('keep me'))
    })

    it('leave nothing behind when nothing was said in them', async () => {
      await using person = open({ script: talk })
      await person.says('/new', /new session/i)
      await person.says('/session info', 'There is no session yet')
      assert.deepEqual(await person.engine.list(), [])
    })

    it('take a mode and a model before the first message', async () => {
      await using person = open({ script: talk })
      await person.says('/mode', /interactive[^]*plan[^]*autopilot/)
      person.takes(2)
      await person.shows('Mode: plan.')
      await person.says('/model tiny', 'tiny answers from the next message on.')
      await person.says('hello', said('hello'))
      await person.rests()
      const [session] = await person.engine.list()
      assert.ok(session !== undefined)
      const { mode, model } = await (await person.engine.open(session.id)).state()
      assert.deepEqual([mode, model], ['plan', 'tiny'])
    })

    it('are given what is typed while they are still being opened', async () => {
      const engine = memoryEngine(talk)
      const [id] = await make(engine, ['first'])
      assert.ok(id !== undefined)
      const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
      const opening: typeof engine.open = async (...given) => {
        await gate
        return engine.open(...given)
      }
      const start = { kind: 'open', id, isNew: false } as const
      await using person = open({ script: talk, engine: { ...engine, open: opening }, start })
      await person.adds('quick', '')
      letGo()
      await person.shows(said('quick'))
      assert.equal((await engine.list()).length, 1)
    })
  })

  describe(`commands, ${view}`, () => {
    it('are refused when there are none of that name', async () => {
      await using person = open({ script: talk })
      await person.says('/nonsense', 'There is no /nonsense')
    })

    it('are listed by /help', async () => {
      await using person = open({ script: talk })
      await person.says('/help', /\/session \[word\][^]*choose a session/)
      person.closes()
      await person.says('hello', said('hello'))
    })

    it('let another agent answer, who is given what was said', async () => {
      await using person = open({ script: talk })
      await person.says('/agent parrot', 'parrot answers.')
      await person.says('hello', '1 messages; hello hello')
      await person.says('/agent', 'says everything twice')
      person.takes(2)
      await person.shows('parrot answers from here on.')
      await person.says('again', '3 messages; again again')
    })

    it('of the shell are run behind a ! without the agent, which learns of it later', async () => {
      await using person = open({ script: heard, options: { cwd: tmpdir() } })
      await person.says('!echo one-$((1 + 1))', /\bone-2\b/)
      await person.says('and?', 'user_ran tool="bash" command="echo one-$((1 + 1))"')
    })
  })

  describe(`a session that another terminal has, ${view}`, () => {
    /** Two terminals on one session in which something was said. */
    async function openTwo() {
      const home = await openHome()
      const engine = () => home.engine({ script: talk, answersQuestions: true })
      const first = open({ script: talk, engine: engine() })
      await first.says('hello', said('hello'))
      await first.rests()
      const [session] = await first.engine.list()
      assert.ok(session !== undefined)
      const start = { kind: 'open', id: session.id, isNew: false } as const
      const second = open({ script: talk, engine: engine(), start })
      await second.shows(said('hello'))
      await second.rests()
      return {
        first,
        second,
        /** The first is at work, and the second has heard of it. */
        async busy() {
          await first.begins('wait')
          await second.shows(/another terminal is at work|You: wait/)
          for await (const _ of (await second.engine.open(session.id)).follow())
            if (runningIn(await (await second.engine.open(session.id)).state()) !== undefined) break
        },
        /** Another program has it open, which cannot be asked for anything. */
        async holdElsewhere(): Promise<AsyncDisposable> {
          const other = spawn('sleep', ['600'])
          const isGone = once(other, 'exit')
          const lock = `inuse.${other.pid}.lock`
          await writeFile(join(home.path, 'session-state', session.id, lock), '')
          return {
            async [Symbol.asyncDispose]() {
              other.kill('SIGKILL')
              await isGone
            },
          }
        },
        async [Symbol.asyncDispose]() {
          for (const each of [second, first, home]) await each[Symbol.asyncDispose]()
        },
      }
    }

    it('is followed live, and written to while the other one is idle', async () => {
      await using two = await openTwo()
      await two.first.says('more', said('more'))
      await two.second.shows(said('more'))
      await two.second.rests()
      await two.second.says('from here', said('from here'))
      await two.first.shows(said('from here'))
    })

    it('queues a message where the other one is at work, and says so', async () => {
      await using two = await openTwo()
      await two.busy()
      await two.second.adds('mine', 'sends it when its turn has ended')
      await two.first.shows(waits(1, 'mine'))
      two.first.cancels()
      await two.first.shows('sends them')
      await two.first.says('', said('mine'))
      await two.second.shows(said('mine'))
      assert.deepEqual(await prompts(two.second.engine), ['hello', 'wait', 'mine'])
    })

    it('keeps a message that another program cannot take', async () => {
      await using two = await openTwo()
      await using _other = await two.holdElsewhere()
      await two.second.adds('mine', 'keep the message here and look on')
      assert.doesNotMatch(two.second.text(), /another program[^]*--\w/)
      two.second.takes(2)
      await two.second.hasBack('mine')
      assert.deepEqual(await prompts(two.second.engine), ['hello'])
    })

    it('is forked for a message that another program cannot take', async () => {
      await using two = await openTwo()
      await using _other = await two.holdElsewhere()
      await two.second.adds('mine', 'send it in a copy of this session')
      two.second.takes(3)
      await two.second.shows(said('mine'))
    })

    it('is sent a message when another program has let go of it, if that is waited for', async () => {
      await using two = await openTwo()
      const other = await two.holdElsewhere()
      await two.second.adds('mine', 'send it when the other program is done')
      two.second.takes(1)
      await two.second.shows('Waiting for the other program')
      await other[Symbol.asyncDispose]()
      await two.second.shows(said('mine'))
    })

    it('is answered in its turn by either', async () => {
      await using two = await openTwo()
      await two.first.says('edit', allows)
      await two.second.shows(allows)
      two.second.yes()
      await two.first.shows('Changed.')
      await two.second.shows('Changed.')
      await two.first.rests()
      await two.first.says('ask', 'blue')
      await two.second.shows('blue')
      await two.second.adds('2', 'It will be blue.')
      await two.first.shows('It will be blue.')
    })

    it('is told something in its turn, and cancelled', async () => {
      await using two = await openTwo()
      await two.busy()
      await two.second.adds('/tell and this', 'and this')
      await two.first.shows('and this')
      await two.second.adds('/cancel', 'cancelled')
      await two.first.shows('cancelled')
    })
  })
}

/** Of the session that was made first, oldest first. */
async function prompts(engine: ReturnType<typeof memoryEngine>): Promise<string[]> {
  const session = (await engine.list()).at(-1)
  assert.ok(session !== undefined)
  return (await (await engine.open(session.id)).rewindPoints())
    .map(({ preview }) => preview)
    .toReversed()
}

/** Says what the agent was given last. */
const heard: Script = async function* ({ context }) {
  yield say(`\`\`\`\n${context.messages.at(-1)?.content ?? ''}\n\`\`\``)
}

const chatty: Script = async function* ({ message }) {
  if (message.content !== 'many') return yield say('Once.')
  for (let at = 1; at <= 2100; at++) yield say(`Said ${at}`)
}
