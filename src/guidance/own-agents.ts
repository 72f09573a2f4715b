/** Sub-agents that every session has. A custom agent of the same name stands in for one. */
import { defined } from '../lib/defined.ts'
import type { CustomAgent } from './custom-agents.ts'

/** Under the names by which models know them. */
export const OWN_AGENTS: readonly CustomAgent[] = [
  own(
    'explore',
    'Finds out about the project without changing anything: for questions whose reading would fill the conversation.',
    'Answer the question by reading and searching. Change nothing. Give paths with lines, and only what was asked.',
    ['view', 'grep', 'glob'],
  ),
  own(
    'task',
    'Runs commands with much output, such as tests, builds and installations. Says in short that they succeeded, or what failed.',
    'Run what you were asked to run. When it succeeds, say so in a line. When it fails, give the failing part of the output in full.',
  ),
  own(
    'general-purpose',
    'Does a whole piece of work by itself, with all tools: for work in several steps that needs no questions.',
    'Do the whole piece of work yourself and check it. Say what you did, which files you changed, and what is left.',
  ),
  own(
    'code-review',
    'Reads changes of the project for faults, without changing anything.',
    'Look at the changes (git diff, git log) and report only what is certainly or very likely wrong, each with path:line and why. Change nothing.',
    ['view', 'grep', 'glob', 'bash'],
  ),
]

function own(
  name: string,
  description: string,
  prompt: string,
  tools?: readonly string[],
): CustomAgent {
  return {
    name,
    displayName: name,
    description,
    prompt,
    userInvocable: false,
    disableModelInvocation: false,
    ...defined({ tools }),
  }
}
