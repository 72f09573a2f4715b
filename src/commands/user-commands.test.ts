import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { tableWith } from './offered.ts'
import { typed } from './parse.ts'
import { table } from './table.ts'
import { userCommands } from './user-commands.ts'

test("skills and commands of the user's files are found, the nearest first, and are texts for the agent", async () => {
  const base = mkdtempSync(join(tmpdir(), 'reprise-user-commands-'))
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), text)
  }
  try {
    put('repo/.github/skills/dance/SKILL.md', '---\nname: dance\ndescription: Dances\n---\nDance.')
    put('repo/sub/.claude/skills/dance/SKILL.md', '---\ndescription: Farther\n---\nNo.')
    put('repo/.claude/commands/sing.md', 'Sing $ARGUMENTS, then $ARGUMENTS again')
    put('repo/.claude/commands/pair.md', 'Take $2, then $1; it costs $10 or $1.50')
    put('repo/.claude/commands/Odd Name.md', '---\ndescription: Odd\nargument-hint: who\n---\nOdd')
    put('repo/.claude/commands/undo.md', 'Ours goes before it')
    put('repo/.claude/commands/deep/sea.md', 'Not read')
    put('repo/.agents/skills/hidden/SKILL.md', '---\ndescription: h\nuser-invocable: false\n---\n')
    put('repo/.agents/skills/mute/SKILL.md', 'It says nothing of itself')
    put('home/skills/knit/SKILL.md', '---\ndescription: Knits\n---\nKnit.')
    put('extension/skills/knit/SKILL.md', '---\ndescription: The home has one\n---\nNo.')
    put('extension/commands/weave.md', 'Weave')
    const repo = join(base, 'repo')
    const found = await userCommands([join(repo, 'sub'), repo], {
      skills: [join(base, 'home/skills'), join(base, 'extension/skills')],
      texts: [join(base, 'extension/commands')],
    })
    assert.deepEqual(
      found.map(({ name, summary, hint }) => [name, summary, hint]),
      [
        ['dance', 'Dances', undefined],
        ['Odd-Name', 'Odd', 'who'],
        ['pair', 'Take $2, then $1; it costs $10 or $1.50', undefined],
        ['sing', 'Sing $ARGUMENTS, then $ARGUMENTS again', undefined],
        ['undo', 'Ours goes before it', undefined],
        ['knit', 'Knits', undefined],
        ['weave', 'Weave', undefined],
      ],
    )
    assert.deepEqual(
      found.filter(({ ofProject }) => ofProject === undefined).map(({ name }) => name),
      ['knit', 'weave'],
    )
    const commands = tableWith(table, found)
    const message = (text: string) => {
      const given = typed(commands, text)
      return 'message' in given ? given.message : given.command.name
    }
    const head = (name: string, folder: string) =>
      `The user has asked for the command "/${name}" of the files in ${join(repo, folder)}. Do what it says:\n\n`
    assert.equal(
      message('/sing a $1 song'),
      `${head('sing', '.claude/commands')}Sing a $1 song, then a $1 song again`,
    )
    assert.equal(
      message('/dance with me'),
      `${head('dance', '.github/skills/dance')}Dance.\n\nwith me`,
    )
    assert.equal(
      message('/pair one "two or three"'),
      `${head('pair', '.claude/commands')}Take two or three, then one; it costs $10 or $1.50`,
    )
    assert.equal(message('/undo'), 'undo')
    assert.throws(() => message('/sin'), /Did you mean \/sing\?/)
    assert.equal(message('//sing'), '/sing')
    assert.deepEqual(await userCommands([], { skills: [join(base, 'none')], texts: [] }), [])
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
})
