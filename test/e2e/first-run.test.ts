/** The first ten minutes: nothing is configured, and whoever shall answer is found, tried and remembered. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openDesk, skip } from './tmux.ts'
import { makePlace } from './cli.ts'

const idle = /\? help/

/** Nothing of this machine is found: no agent on PATH, no key, no server of models. */
const alone = {
  REPRISE_AGENT: '',
  PATH: '/usr/bin:/bin',
  OPENAI_API_KEY: '',
  ANTHROPIC_API_KEY: '',
  OLLAMA_HOST: '127.0.0.1:9',
}

/** A server of models as Ollama is one: lists some, and answers in both ways. */
async function modelsOf(names: readonly string[]) {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      if (request.url?.endsWith('/models') === true)
        return response.end(
          JSON.stringify({ data: names.map((id) => ({ id, max_model_len: 40_000 })) }),
        )
      const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean }
      const said = { role: 'assistant', content: `This is ${model}.` }
      const about = { id: 'c', created: 1, model }
      if (stream !== true)
        return response.writeHead(200, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            ...about,
            choices: [{ index: 0, message: said, finish_reason: 'stop' }],
          }),
        )
      const chunk = (delta: object, end: string | null) =>
        `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return response.end(`${chunk(said, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const sessionsIn = (home: string) =>
  existsSync(join(home, 'session-state')) ? readdirSync(join(home, 'session-state')) : []

describe('the first start', { skip }, () => {
  it('finds a server of models, tries the chosen one, remembers it and is not asked again', async () => {
    await using server = await modelsOf(['tiny', 'huge'])
    using desk = openDesk()
    const env = { ...alone, OLLAMA_HOST: server.host }
    const first = desk.open([], { env })
    await first.shows('Who shall answer?')
    await first.shows(/❯ ollama +2 models at 127/)
    assert.match(
      first.text(),
      /claude +not installed: npm i -g @agentclientprotocol\/claude-agent-acp$/m,
    )
    first.press('Enter')
    await first.shows('Which model of ollama?')
    first.press('Enter')
    await first.shows(/huge answered in \d/)
    await first.shows(/ollama\/huge answers, here and in new sessions/)
    await first.shows(idle)
    first.enter('who are you')
    await first.shows('This is huge.')
    // How much it takes was told by its server.
    await first.shows(/huge · interactive · ▱{5} \d+%/)
    first.enter('/exit')
    await first.ends()
    const second = desk.open([], { env })
    await second.shows(/Answering: huge at 127/)
    await second.shows(idle)
    second.enter('/model')
    await second.shows(/The model to ask[^]*huge[^]*tiny/)
    second.press('Down', 'Enter')
    await second.shows('tiny answers from the next message on.')
    second.enter('and you')
    await second.shows('This is tiny.')
  })

  it('says how to get an agent where there is none, leaves no session, and shows the way once', async () => {
    await using server = await modelsOf([])
    using desk = openDesk()
    const first = desk.open([], { env: { ...alone, OLLAMA_HOST: server.host } })
    await first.shows('Who shall answer?')
    await first.shows(/❯ ollama +at \S+, without a model: ollama pull brings one\n/)
    // A server of another kind may be at its usual port here, and stands between them.
    while (!/❯ copilot/.test(first.text())) {
      const marked = /❯ .*/.exec(first.text())?.[0] ?? ''
      first.press('Down')
      await first.lacks(marked)
    }
    first.press('Enter')
    await first.shows(/copilot is not installed: npm i -g \S+\s+Then type\s+\/agent\./)
    await first.shows(idle)
    first.enter('/exit')
    await first.ends()
    assert.deepEqual(sessionsIn(desk.home), [])
    const second = desk.open([], { env: alone })
    await second.shows('No model yet. Type /agent to connect one')
    await second.shows(idle)
    assert.doesNotMatch(second.text(), /Who shall answer|takes? turns back with/)
    second.enter('/agent ollama')
    await second.shows('ollama is at 127.0.0.1:9, does not answer: ollama serve starts it.')
    second.enter('/agent')
    await second.shows(/❯ ollama +at 127\.0\.0\.1:9, does not answer: ollama serve starts it$/m)
  })

  it('takes the only model of a server without a name', async () => {
    await using server = await modelsOf(['only-one'])
    using desk = makePlace()
    mkdirSync(join(desk.home, '.reprise'), { recursive: true })
    const file = join(desk.home, '.reprise/config.json')
    writeFileSync(file, JSON.stringify({ model: { baseUrl: `http://${server.host}/v1` } }))
    const run = await desk.run(['-p', 'hi'], { env: alone })
    assert.match(run.stdout, /This is only-one\./, run.stderr)
    assert.ok(readFileSync(file, 'utf8').includes(server.host))
  })

  it('names the models where there are several, and leaves no session behind', async () => {
    await using server = await modelsOf(['tiny', 'huge'])
    using desk = openDesk()
    mkdirSync(join(desk.home, '.reprise'), { recursive: true })
    const config = { model: { baseUrl: `http://${server.host}/v1` } }
    writeFileSync(join(desk.home, '.reprise/config.json'), JSON.stringify(config))
    const window = await desk.ready([], { env: alone })
    window.enter('hi')
    await window.shows(/has 2 models and none is named/)
    window.enter('/exit')
    await window.ends()
    assert.deepEqual(sessionsIn(desk.home), [])
  })
})
