import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EngineError } from '../engine/errors.ts'
import { offeredByAgent, tableWith } from './offered.ts'
import { typed } from './parse.ts'
import { table } from './table.ts'

const read = (text: string, commands = table) => {
  const given = typed(commands, text)
  return 'message' in given ? given.message : { name: given.command.name, args: given.args }
}

const refused = (text: string) => {
  try {
    typed(table, text)
  } catch (error) {
    if (error instanceof EngineError) return error.message
  }
  return undefined
}

describe('what was typed', () => {
  it('is a message unless its first word is a slash and a name', () => {
    for (const text of ['hello', '/etc/hosts is broken', '/', '/3 of 4', 'see /undo', '/Users', ''])
      assert.equal(read(text), text)
  })

  it('is sent without one of its slashes when it begins with two', () => {
    assert.equal(read('//undo it'), '/undo it')
    assert.equal(read('//nonsense'), '/nonsense')
  })

  it('is a command with its arguments by place and by name', () => {
    assert.deepEqual(read('/undo'), { name: 'undo', args: { turns: 1 } })
    assert.deepEqual(read(' /undo 2 --keep-files '), {
      name: 'undo',
      args: { turns: 2, keepFiles: true },
    })
    assert.deepEqual(read('/fork --before 3 my  way'), {
      name: 'fork',
      args: { before: '3', name: 'my  way' },
    })
    assert.deepEqual(read('/fork --before="a b" way'), {
      name: 'fork',
      args: { before: 'a b', name: 'way' },
    })
    assert.deepEqual(read('/fork my  way --before 3'), {
      name: 'fork',
      args: { before: '3', name: 'my  way' },
    })
    assert.deepEqual(read('/forget --pattern a --b --dry-run --yes'), {
      name: 'forget',
      args: { text: 'a --b', pattern: true, dryRun: true, yes: true },
    })
    assert.deepEqual(read('/forget no --yes there'), {
      name: 'forget',
      args: { text: 'no --yes there' },
    })
    assert.deepEqual(read('/session info'), { name: 'session info', args: {} })
    assert.deepEqual(read('/session'), { name: 'session', args: {} })
    assert.deepEqual(read('/session cleanup 3'), { name: 'session prune', args: { days: 3 } })
    assert.deepEqual(read('/rename two\nlines'), { name: 'rename', args: { name: 'two\nlines' } })
    assert.deepEqual(read('/rename'), { name: 'rename', args: undefined })
  })

  it('is refused when nobody knows the name, with what is near', () => {
    assert.match(refused('/undp 2') ?? '', /^There is no \/undp\. Did you mean \/undo\?/)
    assert.match(refused('/nonsense') ?? '', /\/help lists what there is\. .*\/\/nonsense/)
  })

  it('is refused with the usage when the arguments are wrong', () => {
    assert.match(
      refused('/undo x') ?? '',
      /^\/undo wants turns: how many turns.*; not "x"\. Usage: \/undo \[turns\] \[--keep-files\]$/,
    )
    assert.match(refused('/session nonsense') ?? '', /^\/session knows info, .*; not "nonsense"/)
    assert.match(refused('/mode sleepy') ?? '', /interactive, plan or autopilot/)
    assert.match(refused('/queue move 2') ?? '', /wants message|wants place/)
    assert.match(refused('/redo now') ?? '', /knows nothing more; not "now"/)
    assert.match(refused('/fork --before') ?? '', /--before wants a value/)
  })
})

describe('commands of the agent', () => {
  const theirs = offeredByAgent([{ name: 'review_pr', description: 'Reviews' }, { name: 'undo' }])

  it('are passed on as they are, under names that are not ours', () => {
    const commands = tableWith(table, theirs)
    assert.equal(read('/review_pr 7', commands), '/review_pr 7')
    assert.deepEqual(read('/undo', commands), { name: 'undo', args: { turns: 1 } })
  })

  it('go before ours where they are first', () => {
    assert.equal(read('/undo 2', tableWith(table, theirs, { first: 'theirs' })), '/undo 2')
  })
})
