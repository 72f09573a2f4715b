import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Draft } from '../format/event.ts'
import {
  SESSION,
  answered,
  eventId,
  gave,
  logOf,
  ran,
  said,
  started,
  type StrangerDraft,
} from '../../test/log-of.ts'
import { evolve } from '../../test/support/evolve.ts'
import { createFolder } from './fold.ts'
import { initialState, type SessionState } from './session-state.ts'

const given = (...drafts: (Draft | StrangerDraft)[]): SessionState =>
  logOf(drafts).reduce(evolve, initialState)

const pick = <K extends keyof SessionState>(state: SessionState, ...keys: K[]) =>
  Object.fromEntries(keys.map((key) => [key, state[key]]))

const resumed = (fields: object = {}): Draft => ({
  type: 'session.resume',
  data: { resumeTime: 't', eventCount: 1, ...fields },
})
const compacting: Draft = { type: 'session.compaction_start', data: {} }
const compacted = (fields: object = {}): Draft => ({
  type: 'session.compaction_complete',
  data: {
    success: true,
    summaryContent: 'sum',
    checkpointNumber: 1,
    checkpointPath: 'c/1.md',
    ...fields,
  },
})

describe('the start of a log', () => {
  it('says whose session it is', () => {
    const state = given(
      started({ selectedModel: 'm', reasoningEffort: 'high', remoteSteerable: true }),
    )
    assert.deepEqual(
      pick(
        state,
        'sessionId',
        'version',
        'producer',
        'startTime',
        'model',
        'reasoningEffort',
        'remoteSteerable',
      ),
      {
        sessionId: SESSION,
        version: 1,
        producer: 'reprise',
        startTime: '2025-01-01T00:00:00.000Z',
        model: 'm',
        reasoningEffort: 'high',
        remoteSteerable: true,
      },
    )
  })

  it('is needed for a session id: an id that leads elsewhere is none', () => {
    assert.equal(given(said('hi')).sessionId, undefined)
    assert.equal(given(started({ sessionId: '../../etc' })).sessionId, undefined)
  })
})

describe('the place in the log', () => {
  it('is that of the last event, strangers included', () => {
    const log = logOf([started(), { stranger: 'session.of_tomorrow' }])
    const state = log.reduce(evolve, initialState)
    assert.deepEqual(
      pick(state, 'eventCount', 'strangerCount', 'lastEventId', 'lastTimestamp', 'size'),
      {
        eventCount: 2,
        strangerCount: 1,
        lastEventId: eventId(2),
        lastTimestamp: '2025-01-01T00:00:01.000Z',
        size: log[1]?.end,
      },
    )
  })
})

describe('the project', () => {
  it('is replaced as a whole: outside a repository no branch is left over', () => {
    const state = given(
      started({ context: { cwd: '/a', branch: 'main', repository: 'o/r', headCommit: 'c' } }),
      { type: 'session.context_changed', data: { cwd: '/b' } },
    )
    assert.deepEqual(state.project, { cwd: '/b' })
  })

  it('stays when a resume does not tell it', () => {
    const state = given(started({ context: { cwd: '/a', branch: 'main' } }), resumed())
    assert.deepEqual(state.project, { cwd: '/a', branch: 'main' })
  })
})

describe('settings', () => {
  it('follow the last change of model, and null takes an effort away', () => {
    const state = given(started({ selectedModel: 'a', reasoningEffort: 'high' }), {
      type: 'session.model_change',
      data: { newModel: 'b', verbosity: 'low' },
    })
    assert.deepEqual(pick(state, 'model', 'reasoningEffort', 'verbosity'), {
      model: 'b',
      reasoningEffort: 'high',
      verbosity: 'low',
    })
    const without = given(started({ reasoningEffort: 'high' }), {
      type: 'session.model_change',
      data: { newModel: 'b', reasoningEffort: null },
    })
    assert.ok(!('reasoningEffort' in without))
  })

  it('hold mode, agent, steering and limits', () => {
    const events: Draft[] = [
      { type: 'session.mode_changed', data: { previousMode: 'interactive', newMode: 'plan' } },
      {
        type: 'subagent.selected',
        data: { agentName: 'rev', agentDisplayName: 'Rev', tools: null },
      },
      { type: 'session.remote_steerable_changed', data: { remoteSteerable: true } },
      { type: 'session.session_limits_changed', data: { sessionLimits: { maxAiCredits: 3 } } },
    ]
    assert.deepEqual(
      pick(given(started(), ...events), 'mode', 'agentName', 'remoteSteerable', 'limits'),
      {
        mode: 'plan',
        agentName: 'rev',
        remoteSteerable: true,
        limits: { maxAiCredits: 3 },
      },
    )
    const state = given(
      started(),
      ...events,
      { type: 'subagent.deselected', data: {} },
      { type: 'session.session_limits_changed', data: { sessionLimits: null } },
    )
    assert.ok(!('agentName' in state) && !('limits' in state))
  })
})

describe('a compaction', () => {
  it('moves the start of the context to where it began, so that what was said meanwhile stays', () => {
    const log = logOf([started(), said('a'), compacting, said('b'), compacted()])
    const state = log.reduce(evolve, initialState)
    assert.equal(state.contextFrom, log[2]?.start)
    assert.deepEqual(state.compaction, {
      checkpoints: [
        {
          number: 1,
          path: 'c/1.md',
          eventId: eventId(5),
          start: log[4]?.start,
          at: '2025-01-01T00:00:04.000Z',
        },
      ],
    })
  })

  it('is in progress until it completes', () => {
    const log = logOf([started(), said('a'), compacting])
    assert.deepEqual(log.reduce(evolve, initialState).compaction, {
      inProgress: {
        eventId: eventId(3),
        at: '2025-01-01T00:00:02.000Z',
        start: log[2]?.start,
        messages: 1,
      },
      checkpoints: [],
    })
  })

  it('that fails changes nothing', () => {
    const state = given(started(), said('a'), compacting, compacted({ success: false }))
    assert.deepEqual(pick(state, 'contextFrom', 'compaction'), {
      contextFrom: 0,
      compaction: { checkpoints: [] },
    })
  })

  it('without a summary, or without its start, does not move the context', () => {
    assert.equal(given(started(), compacting, compacted({ summaryContent: ' ' })).contextFrom, 0)
    assert.equal(given(started(), said('a'), compacted()).contextFrom, 0)
  })

  it('that a crash cut off is over at the next resume', () => {
    const state = given(started(), said('a'), compacting, resumed(), compacted())
    assert.equal(state.contextFrom, 0)
  })

  it('is undone by clearing: the context starts at the clearing', () => {
    const log = logOf([
      started(),
      compacting,
      { type: 'session.context_cleared', data: { messagesCleared: 1 } },
      compacted(),
    ])
    assert.equal(log.reduce(evolve, initialState).contextFrom, log[2]?.start)
  })
})

describe('pending tools', () => {
  it('are those announced or started and not completed', () => {
    const log = logOf([started(), answered('', 'a', 'b'), ran('b'), ran('c'), gave('a', 'x')])
    assert.deepEqual(log.reduce(evolve, initialState).pendingTools, [
      { toolCallId: 'b', toolName: 'bash', start: log[1]?.start },
      { toolCallId: 'c', toolName: 'bash', start: log[3]?.start },
    ])
  })

  it('are interrupted by a resume, unless it goes on with them or joins a running session', () => {
    const names = (state: SessionState) => state.pendingTools.map(({ toolCallId }) => toolCallId)
    assert.deepEqual(names(given(started(), answered('', 'a'), resumed())), [])
    assert.deepEqual(
      names(given(started(), answered('', 'a'), resumed({ continuePendingWork: true }))),
      ['a'],
    )
    assert.deepEqual(
      names(given(started(), answered('', 'a'), resumed({ sessionWasActive: true }))),
      ['a'],
    )
  })

  it('remember the sub-agent that called them', () => {
    const [tool] = given(started(), { ...ran('a'), agentId: 'sub' }).pendingTools
    assert.equal(tool?.agentId, 'sub')
  })

  it('include those of connected clients and of the user', () => {
    const state = given(
      {
        type: 'external_tool.requested',
        data: { requestId: 'r', sessionId: SESSION, toolCallId: 'a', toolName: 'x' },
      },
      { type: 'tool.user_requested', data: { toolCallId: 'b', toolName: 'y' } },
    )
    assert.deepEqual(
      state.pendingTools.map(({ toolName }) => toolName),
      ['x', 'y'],
    )
  })
})

describe('open permission requests', () => {
  const asked: Draft = {
    type: 'permission.requested',
    data: {
      requestId: 'r',
      permissionRequest: { kind: 'read', intention: 'i', path: '/x', toolCallId: 'a' },
    },
  }
  it('wait until they are answered', () => {
    assert.deepEqual(given(asked).openRequests, [
      { requestId: 'r', kind: 'read', start: 0, toolCallId: 'a' },
    ])
    const answer: Draft = {
      type: 'permission.completed',
      data: { requestId: 'r', result: { kind: 'approved' } },
    }
    assert.deepEqual(given(asked, answer).openRequests, [])
  })
  it('are not open when a hook has answered already', () => {
    assert.deepEqual(
      given({ ...asked, data: { ...asked.data, resolvedByHook: true } } as Draft).openRequests,
      [],
    )
  })
})

describe('what a session has', () => {
  it('is its plan, files, skills, handoff, errors and end', () => {
    const log = logOf([
      { type: 'session.plan_changed', data: { operation: 'create' } },
      { type: 'session.workspace_file_changed', data: { path: 'a', operation: 'create' } },
      { type: 'session.workspace_file_changed', data: { path: '__proto__', operation: 'create' } },
      { type: 'session.workspace_file_changed', data: { path: 'a', operation: 'update' } },
      { type: 'skill.invoked', data: { name: 's', path: '/s', content: 'LONG' } },
      {
        type: 'skill.invoked_ref',
        data: { name: 's', path: '/s', contentId: 'x', contentLength: 4 },
      },
      {
        type: 'session.handoff',
        data: { handoffTime: 't', sourceType: 'remote', remoteSessionId: 'far', context: 'LONG' },
      },
      { type: 'session.error', data: { errorType: 'x', message: 'LONG' } },
      { type: 'abort', data: { reason: 'user_initiated' } },
    ])
    const state = log.reduce(evolve, initialState)
    assert.deepEqual(
      pick(state, 'plan', 'workspaceFiles', 'skills', 'handoff', 'errorCount', 'abortCount'),
      {
        plan: 'present',
        workspaceFiles: [
          { path: 'a', start: log[1]?.start },
          { path: '__proto__', start: log[2]?.start },
        ],
        skills: [{ name: 's', path: '/s' }],
        handoff: {
          time: 't',
          sourceType: 'remote',
          eventId: eventId(7),
          start: log[6]?.start,
          remoteSessionId: 'far',
        },
        errorCount: 1,
        abortCount: 1,
      },
    )
    assert.ok(!JSON.stringify(state).includes('LONG'))
  })

  it('has no plan once it is deleted', () => {
    const changed = (operation: string): Draft => ({
      type: 'session.plan_changed',
      data: { operation },
    })
    assert.equal(given(changed('create'), changed('delete')).plan, 'none')
  })

  it('has the system prompt in force, not that of a sub-agent', () => {
    const prompt: Draft = { type: 'system.message', data: { content: 'LONG', role: 'system' } }
    const log = logOf([started(), prompt, prompt, { ...prompt, agentId: 'sub' }])
    const { start, end } = log[2] as (typeof log)[number]
    assert.deepEqual(log.reduce(evolve, initialState).systemMessage, { start, end })
  })

  it('is called by its first prompt', () => {
    assert.equal(
      given(started(), said('  Fix\n the   parser '), said('more')).titleHint,
      'Fix the parser',
    )
  })
})

describe('a long log', () => {
  it('folds in time that grows with its length', () => {
    const folder = createFolder()
    const [user, call, start] = logOf([said('x'.repeat(500)), answered('ok', 'a'), ran('a')])
    assert.ok(user && call && start)
    const turns = 20_000
    for (let turn = 0; turn < turns; turn++)
      for (const record of [user, call, start]) folder.push(record)
    assert.equal(folder.state().turns.length, turns)
    assert.ok(JSON.stringify(folder.state()).length < turns * 300)
  })
})
