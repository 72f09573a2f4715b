/** What a session is told when it is made: prompts, agents, skills, instructions, modes, models, limits, hosts' wishes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CopilotRequestHandler, type CopilotSession } from '@github/copilot-sdk'
import type { Stage, Things } from './thing.ts'

const told = ({ model }: Stage) => JSON.stringify(model.asked.at(-1)?.messages)
const offered = ({ model }: Stage): readonly string[] =>
  (model.asked.at(-1)?.tools ?? []).map((each) => each.function.name)

async function hello(stage: Stage, session: CopilotSession): Promise<void> {
  stage.model.say({ text: 'ok' })
  await session.sendAndWait('hello')
}

const file = (dir: string, path: string, text: string): void => {
  mkdirSync(join(dir, path, '..'), { recursive: true })
  writeFileSync(join(dir, path), text)
}

export const settingThings: Things = {
  'system messages': async (stage) => {
    const { client, config } = stage
    const seen: unknown[] = []
    for (const systemMessage of [
      { content: 'APPENDED' },
      { mode: 'replace', content: 'REPLACED' },
      {
        mode: 'customize',
        sections: {
          tone: { action: 'replace', content: 'TONE' },
          guidelines: { action: 'append', content: 'GUIDE' },
        },
        content: 'LAST',
      },
    ] as const) {
      const session = await client.createSession({ ...config, systemMessage })
      await hello(stage, session)
      const [first] = stage.model.asked.at(-1)?.messages ?? []
      const text = JSON.stringify(first?.content)
      seen.push([
        first?.role,
        ['APPENDED', 'REPLACED', 'TONE', 'GUIDE', 'LAST'].filter((word) => text.includes(word)),
      ])
    }
    return seen
  },
  'custom agents': async (stage) => {
    const { client, config } = stage
    const session = await client.createSession({
      ...config,
      agent: 'reviewer',
      customAgents: [
        {
          name: 'reviewer',
          displayName: 'Reviewer',
          description: 'reviews',
          prompt: 'MARK',
          tools: ['view'],
        },
        { name: 'writer', description: 'writes', prompt: 'OTHER' },
      ],
    })
    await hello(stage, session)
    const first = [
      told(stage).includes('MARK'),
      offered(stage).includes('view'),
      offered(stage).includes('bash'),
    ]
    const { agent } = session.rpc
    const current = (await agent.getCurrent()).agent?.name
    const names = (await agent.list()).agents.map(({ name }) => name)
    await agent.deselect()
    await hello(stage, session)
    const second = [offered(stage).includes('bash'), (await agent.getCurrent()).agent ?? null]
    await agent.select({ name: 'writer' })
    await hello(stage, session)
    return [first, current, names, second, told(stage).includes('OTHER')]
  },
  'a sub-agent at work': async (stage) => {
    const { client, config, model } = stage
    const types: string[] = []
    const session = await client.createSession({
      ...config,
      customAgents: [{ name: 'helper', description: 'helps', prompt: 'HELPERPROMPT' }],
      onEvent: ({ type }) =>
        void (/^subagent\.(?:started|configured|completed|failed)$/.test(type) && types.push(type)),
    })
    model.say(
      { tools: [['task', { agent_type: 'helper', prompt: 'do it', description: 'd', name: 'h' }]] },
      { text: 'SUBANSWER' },
      { text: 'main' },
    )
    const answer = await session.sendAndWait('go')
    return [
      answer?.data.content,
      types,
      model.asked.length,
      JSON.stringify(model.asked[1]).includes('HELPERPROMPT'),
      told(stage).includes('SUBANSWER'),
    ]
  },
  'tools that the main agent lacks': async (stage) => {
    const { client, config } = stage
    const session = await client.createSession({
      ...config,
      defaultAgent: { excludedTools: ['grep'] },
    })
    await hello(stage, session)
    return [offered(stage).includes('grep'), offered(stage).includes('view')]
  },
  skills: async (stage) => {
    const { client, config, dir, model } = stage
    file(
      dir,
      'more/greet/SKILL.md',
      '---\nname: greet\ndescription: says hello SKILLMARK\n---\nSKILLBODY\n',
    )
    const session = await client.createSession({ ...config, skillDirectories: [join(dir, 'more')] })
    model.say({ tools: [['skill', { skill: 'greet' }]] }, { text: 'ok' })
    await session.sendAndWait('go')
    const listed = (await session.rpc.skills.list()).skills.filter(({ name }) => name === 'greet')
    const isTold = JSON.stringify(model.asked[0]).includes('SKILLMARK')
    const body = told(stage).includes('SKILLBODY')
    await session.rpc.skills.disable({ name: 'greet' })
    const [after] = (await session.rpc.skills.list()).skills.filter(({ name }) => name === 'greet')
    return [isTold, body, listed.map(({ enabled }) => enabled), after?.enabled]
  },
  instructions: async (stage) => {
    const { client, config, dir } = stage
    file(dir, '.github/copilot-instructions.md', 'PROJECTRULE\n')
    file(dir, 'AGENTS.md', 'AGENTSRULE\n')
    file(
      dir,
      'more/.github/instructions/a.instructions.md',
      '---\napplyTo: "**"\n---\nFOLDERRULE\n',
    )
    const session = await client.createSession({
      ...config,
      instructionDirectories: [join(dir, 'more')],
    })
    await hello(stage, session)
    const first = ['PROJECTRULE', 'AGENTSRULE'].map((word) => told(stage).includes(word))
    const without = await client.createSession({ ...config, skipCustomInstructions: true })
    await hello(stage, without)
    return [first, told(stage).includes('PROJECTRULE')]
  },
  'plan mode and its end': async (stage) => {
    const { client, config, model } = stage
    const asked: unknown[] = []
    const session = await client.createSession({
      ...config,
      onExitPlanModeRequest: ({ summary, planContent }) => {
        asked.push([summary, planContent])
        return { approved: true, selectedAction: 'interactive' } as never
      },
    })
    await session.rpc.mode.set({ mode: 'plan' })
    await session.rpc.plan.update({ content: '# the plan' })
    model.say({ tools: [['exit_plan_mode', { summary: 'do it' }]] }, { text: 'ok' })
    await session.sendAndWait('plan')
    return [asked, await session.rpc.mode.get()]
  },
  'the mode of a message': async ({ client, config, model }) => {
    const session = await client.createSession(config)
    model.say({ text: 'ok' })
    await session.sendAndWait({ prompt: 'x', agentMode: 'plan' })
    const modes = (await session.getEvents()).flatMap((event) =>
      event.type === 'user.message' ? [event.data.agentMode] : [],
    )
    return [modes, await session.rpc.mode.get()]
  },
  'no model, no answer': async ({ another, dir }) => {
    const client = another({}, { args: [] })
    const session = await client.createSession({
      workingDirectory: dir,
      onPermissionRequest: () => ({ kind: 'approve-once' }),
    })
    return session.sendAndWait('hello').then(
      () => 'answered',
      () => 'refused',
    )
  },
  'flags of the command line': async ({ another }) => {
    const client = another({}, { args: ['--yolo'] })
    await client.start()
    return (await client.ping('hi')).message.includes('hi')
  },
  'a client that makes the requests': async ({ another, config, model }) => {
    const urls: string[] = []
    class Handler extends CopilotRequestHandler {
      protected override async sendRequest(request: Request) {
        urls.push(new URL(request.url).pathname)
        return fetch(request)
      }
    }
    const client = another({ requestHandler: new Handler() })
    const session = await client.createSession(config)
    model.say({ text: 'through' })
    const answer = await session.sendAndWait('hello')
    return [answer?.data.content, urls.some((path) => path.endsWith('/chat/completions'))]
  },
  'several providers': async ({ client, config, model }) => {
    const { provider: _one, ...rest } = config
    const session = await client.createSession({
      ...rest,
      providers: [{ name: 'mine', type: 'openai', baseUrl: model.baseUrl }],
      models: [{ id: 'big', provider: 'mine' }],
      model: 'mine/big',
    } as never)
    model.say({ text: 'ok' })
    const answer = await session.sendAndWait('hello')
    return [answer?.data.content, model.asked.at(-1)?.model]
  },
  'headers of a message': async ({ client, config, model }) => {
    const session = await client.createSession(config)
    model.say({ text: 'ok' })
    await session.sendAndWait({ prompt: 'x', requestHeaders: { 'x-tenant': 'one' } })
    return model.asked.at(-1)?.headers['x-tenant']
  },
  'a shell beside the conversation': async ({ client, config, dir }) => {
    const session = await client.createSession(config)
    const ran = await session.rpc.shell.exec({ command: 'echo beside', cwd: dir })
    const mine = await session.rpc.shell.executeUserRequested({
      command: 'echo mine',
      requestId: 'r1',
    })
    return [Object.keys(ran), mine.exitCode, mine.output.trim()]
  },
  'a question aside': async (stage) => {
    const { client, config, model } = stage
    const session = await client.createSession(config)
    await hello(stage, session)
    model.say({ text: 'aside' })
    const { answer } = (await session.rpc.ui.ephemeralQuery({ question: 'what?' })) as {
      answer?: string
    }
    const count = (await session.getEvents()).filter(
      ({ type }) => type === 'assistant.message',
    ).length
    return [answer, count]
  },
  'what the context is made of': async (stage) => {
    const { client, config } = stage
    const session = await client.createSession(config)
    await hello(stage, session)
    const { metadata } = session.rpc
    return [
      Object.keys(await metadata.getContextAttribution()).toSorted(),
      Object.keys(await metadata.getContextHeaviestMessages({})).toSorted(),
      Object.keys(
        (await metadata.contextInfo({ promptTokenLimit: 0, outputTokenLimit: 0 })).contextInfo ??
          {},
      )
        // Not in the types of the SDK.
        .filter((name) => name !== 'customInstructionsTokens')
        .toSorted(),
    ]
  },
  'a tool server that is switched': async ({ client, config }) => {
    const session = await client.createSession({
      ...config,
      mcpServers: {
        calc: { type: 'local', command: process.execPath, args: [CALC], tools: ['*'] },
      },
    })
    const { mcp } = session.rpc
    const statuses = async () =>
      (await mcp.list()).servers.map(({ name, status }) => [name, status])
    const tools = (await mcp.listTools({ serverName: 'calc' })).tools
      .map(({ name }) => name)
      .toSorted()
    await mcp.disable({ serverName: 'calc' })
    const off = await statuses()
    await mcp.enable({ serverName: 'calc' })
    return [tools, off, await statuses(), await mcp.isServerRunning({ serverName: 'calc' })]
  },
}

const CALC = new URL('../../model-server/mcp-server.ts', import.meta.url).pathname
