/** Which instruction files, custom agents and skills are found, in which order, and which are left alone. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { listCustomAgents } from './custom-agents.ts'
import { isNamed, listInstructionSources } from './instructions.ts'
import { listSkills } from './skills.ts'

async function openFolder() {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'reprise-guidance-')))
  return {
    path,
    async put(name: string, text: string) {
      await mkdir(dirname(join(path, name)), { recursive: true })
      await writeFile(join(path, name), text)
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

test('instruction files are sources with the ids of the Copilot CLI, the outermost first', async () => {
  await using folder = await openFolder()
  await folder.put('project/AGENTS.md', 'of all\n')
  await folder.put('project/CLAUDE.md', 'of all\n')
  await folder.put('project/.github/copilot-instructions.md', 'for Copilot')
  await folder.put(
    'project/.github/instructions/ts.instructions.md',
    '---\napplyTo: "**/*.ts"\n---\nstrict',
  )
  await folder.put('project/web/AGENTS.md', 'of the web')
  await folder.put('project/web/CLAUDE.md', '   ')
  await folder.put('home/.copilot/copilot-instructions.md', 'mine')
  await folder.put('team/AGENTS.md', 'of the team')
  const gitRoot = join(folder.path, 'project')
  const sources = await listInstructionSources({
    cwd: join(gitRoot, 'web'),
    gitRoot,
    userHome: join(folder.path, 'home'),
    directories: ['../../team'],
  })
  const team = join(folder.path, 'team/AGENTS.md')
  assert.deepEqual(
    sources.map(({ id, sourcePath, content, type, location, applyTo }) => [
      id,
      sourcePath,
      content,
      type,
      location,
      ...(applyTo ?? []),
    ]),
    [
      ['home-copilot', '~/.copilot/copilot-instructions.md', 'mine', 'home', 'user'],
      ['model-agents-md', 'AGENTS.md', 'of all', 'model', 'repository'],
      ['repo-copilot', '.github/copilot-instructions.md', 'for Copilot', 'repo', 'repository'],
      [
        'vscode-instructions/.github/instructions/ts.instructions.md',
        '.github/instructions/ts.instructions.md',
        '---\napplyTo: "**/*.ts"\n---\nstrict',
        'vscode',
        'repository',
        '**/*.ts',
      ],
      [
        'nested-agents/web/AGENTS.md',
        'web/AGENTS.md',
        'of the web',
        'nested-agents',
        'working-directory',
      ],
      [team, team, 'of the team', 'repo', 'working-directory'],
    ],
  )
  assert.deepEqual(
    sources.filter((source) => isNamed(source, ['AGENTS.md', 'home-copilot'])).map(({ id }) => id),
    ['home-copilot', 'model-agents-md'],
  )
})

test('nothing is read through a link that leads out of the project', async () => {
  await using folder = await openFolder()
  await folder.put('secret.md', 'the key')
  await folder.put('elsewhere/SKILL.md', '---\ndescription: d\n---\nbody')
  await folder.put('elsewhere/agent.md', 'prompt')
  await mkdir(join(folder.path, 'project/.github/skills'), { recursive: true })
  await mkdir(join(folder.path, 'project/.github/agents'), { recursive: true })
  await symlink(join(folder.path, 'secret.md'), join(folder.path, 'project/AGENTS.md'))
  await symlink(join(folder.path, 'elsewhere'), join(folder.path, 'project/.github/skills/x'))
  await symlink(
    join(folder.path, 'elsewhere/agent.md'),
    join(folder.path, 'project/.github/agents/x.md'),
  )
  const cwd = join(folder.path, 'project')
  assert.deepEqual(
    [
      await listInstructionSources({ cwd }),
      await listSkills({ cwd }),
      await listCustomAgents({ cwd }),
    ],
    [[], [], []],
  )
})

test('a custom agent is what its file says; the nearest of one name counts, and what a program brings before all', async () => {
  await using folder = await openFolder()
  await folder.put(
    'project/.github/agents/tester.md',
    '---\ndescription: Tests\ntools: ["view", "bash"]\nmodel: small\n---\nTest it.',
  )
  await folder.put(
    'project/.github/agents/all.agent.md',
    '---\nname: all\ntools: "*"\ninfer: false\n---\nAll.',
  )
  await folder.put('home/.copilot/agents/tester.md', '---\ndescription: Another\n---\nNot this.')
  await folder.put('home/.copilot/agents/mine.md', 'No fields at all.')
  const cwd = join(folder.path, 'project')
  const places = { cwd, userHome: join(folder.path, 'home') }
  const brought = {
    name: 'all',
    displayName: 'All',
    description: 'brought',
    prompt: 'P',
    userInvocable: true,
    disableModelInvocation: false,
  }
  assert.deepEqual(await listCustomAgents(places), [
    {
      name: 'all',
      displayName: 'all',
      description: '',
      prompt: 'All.',
      path: join(cwd, '.github/agents/all.agent.md'),
      userInvocable: true,
      disableModelInvocation: true,
      source: 'project',
    },
    {
      name: 'tester',
      displayName: 'tester',
      description: 'Tests',
      prompt: 'Test it.',
      path: join(cwd, '.github/agents/tester.md'),
      userInvocable: true,
      disableModelInvocation: false,
      tools: ['view', 'bash'],
      source: 'project',
      model: 'small',
    },
    {
      name: 'mine',
      displayName: 'mine',
      description: '',
      prompt: 'No fields at all.',
      path: join(folder.path, 'home/.copilot/agents/mine.md'),
      userInvocable: true,
      disableModelInvocation: false,
      source: 'user',
    },
  ])
  const [first] = await listCustomAgents(places, [brought])
  assert.deepEqual(first, brought)
})

test('a skill is a folder with a SKILL.md that says what it is for', async () => {
  await using folder = await openFolder()
  await folder.put(
    'project/.github/skills/deploy/SKILL.md',
    '---\nname: deploy\ndescription: How to deploy\nallowed-tools: bash, view\n---\nDo it.',
  )
  await folder.put('project/.claude/skills/silent/SKILL.md', 'Nothing about itself.')
  await folder.put(
    'project/sub/.claude/skills/deploy/SKILL.md',
    '---\ndescription: Nearer\n---\nDo it here.',
  )
  await folder.put(
    'home/.copilot/skills/mine/SKILL.md',
    '---\ndescription: Mine\nuser-invocable: false\n---\nMine.',
  )
  await folder.put('named/SKILL.md', '---\ndescription: Named itself\n---\nN.')
  const root = join(folder.path, 'project')
  const skills = await listSkills({
    cwd: join(root, 'sub'),
    gitRoot: root,
    userHome: join(folder.path, 'home'),
    directories: [join(folder.path, 'named')],
  })
  assert.deepEqual(
    skills.map(({ name, description, source, userInvocable, allowedTools, content }) => [
      name,
      description,
      source,
      userInvocable,
      allowedTools,
      content,
    ]),
    [
      ['named', 'Named itself', 'custom', true, [], 'N.'],
      ['deploy', 'Nearer', 'project', true, [], 'Do it here.'],
      ['mine', 'Mine', 'personal-copilot', false, [], 'Mine.'],
    ],
  )
})
