/** Where choosing is better than reading: what is asked before a command runs, and what a result is chosen from. */
import { board, boardAdd } from '../../../commands/board.ts'
import type { Command, Wording } from '../../../commands/command.ts'
import { tree } from '../../../commands/fork.ts'
import { help } from '../../../commands/help.ts'
import { login } from '../../../commands/login.ts'
import { keys, theme } from '../../../commands/theme.ts'
import type { Args } from '../../../commands/parse.ts'
import { queue } from '../../../commands/queue.ts'
import { restore, trash } from '../../../commands/remove.ts'
import { rename } from '../../../commands/rename.ts'
import { search } from '../../../commands/search.ts'
import { checkpoints, files } from '../../../commands/session-files.ts'
import { resume, sessions } from '../../../commands/sessions.ts'
import { agent, mode, model } from '../../../commands/settings.ts'
import { share, shareLink } from '../../../commands/share.ts'
import { sql } from '../../../commands/sql.ts'
import { rewind } from '../../../commands/time.ts'
import { ago, sizeText } from '../../../lib/quantities.ts'
import { boardView } from './board-view.ts'
import { chooseAgent } from './connect-view.ts'
import type { CommandHost } from './command.ts'
import { keyList } from './keys.ts'
import { queueView } from './queue-view.ts'
import { chooseRewind } from './rewind-view.ts'
import { searchView } from './search-view.ts'
import { resultOf, runShown, tellResult } from './show-result.ts'
import { treeView } from './tree-view.ts'

type View<Result = unknown> = {
  /** The arguments, when none were typed; undefined when the person leaves. */
  ask?(host: CommandHost): Promise<Args | undefined>
  show?(host: CommandHost, result: Result, args: Args): Promise<void>
}

type Ask = NonNullable<View['ask']>

/** A line of text for the argument that is wanted. */
const line =
  (field: string, question: string): Ask =>
  async (host) => {
    const text = (await host.ask(question))?.trim()
    return text === undefined || text === '' ? undefined : { [field]: text }
  }

const pick: Ask = async (host) => {
  await host.pick()
  return undefined
}

const chooseCheckpoint: Ask = async (host) => {
  const found = await resultOf(host, checkpoints, {})
  if (found.checkpoints === undefined || found.checkpoints.length === 0) return {}
  const number = await host.choose(
    'Checkpoints',
    found.checkpoints.map((each) => ({
      label: each.title,
      detail: `checkpoint ${each.number}`,
      value: each.number,
    })),
  )
  return number === undefined ? undefined : { number }
}

const chooseFile: Ask = async (host) => {
  const found = await resultOf(host, files, {})
  if (found.files === undefined || found.files.length === 0) return {}
  const path = await host.choose(
    'Files of this session',
    found.files.map((each) => ({
      label: each.path,
      detail: sizeText(each.size),
      value: each.path,
    })),
  )
  return path === undefined ? undefined : { path }
}

const LIST_MS = 3000

const chooseModel: Ask = async (host) => {
  const { model: now, models } = await resultOf(host, model, {})
  const listed =
    models.length > 0 ? models : await modelsOfEndpoint(host, AbortSignal.timeout(LIST_MS))
  if (listed.length > 0) {
    const choices = listed.map(({ value, name }) => ({
      label: name,
      value,
      ...(value === now && { detail: 'asked now' }),
    }))
    const name = await host.choose('The model to ask', choices)
    return name === undefined ? undefined : { name }
  }
  // An endpoint that lists nothing is asked by name.
  const given = await host.ask(`The model to ask${now === null ? '' : `, instead of ${now}`}`)
  const [name, effort] = given?.trim().split(/\s+/) ?? []
  return name ? { name, effort } : undefined
}

async function modelsOfEndpoint({ agents }: CommandHost, signal: AbortSignal) {
  const { offered } = await agents.models(undefined, signal)
  return offered.map((name) => ({ value: name, name }))
}

/** A file, or a link, which is another command. */
const chooseShare: Ask = async (host) => {
  const chosen = await host.choose('Share this session', [
    { label: 'a file', detail: 'the transcript, without secrets', value: 'file' },
    {
      label: 'a link',
      detail: 'others watch it in a browser, read-only, for a day',
      value: 'link',
    },
  ])
  if (chosen === 'link') await runShown(host, shareLink, { hours: 24 })
  return chosen === 'file' ? {} : undefined
}

/** One of the words that the command takes. */
const oneOf =
  (command: Command, field: string, title: string): Ask =>
  async (host) => {
    const choices = (command.choices ?? []).map(([value, detail]) => ({
      label: value,
      detail,
      value,
    }))
    const chosen = await host.choose(title, choices)
    return chosen === undefined ? undefined : { [field]: chosen }
  }

const askAgent: Ask = async (host) => {
  const name = await chooseAgent(host)
  return name === undefined ? undefined : { name }
}

const named = <Result>(
  { name }: { readonly name: string; say(result: Result, wording: Wording): string },
  view: View<Result>,
): readonly [string, View] => [name, view]

export const views: ReadonlyMap<string, View> = new Map([
  named(sessions, { ask: pick }),
  named(resume, { ask: pick }),
  named(checkpoints, { ask: chooseCheckpoint }),
  named(files, { ask: chooseFile }),
  named(rename, { ask: line('name', 'The new name') }),
  named(trash, {
    async show(host, result) {
      if (result.deleted.length === 0) return tellResult(host, trash, result)
      const session = await host.choose(
        'Bring back which session?',
        result.deleted.map(({ id, title, deletedAt }) => ({
          label: title || id.slice(0, 8),
          detail: `deleted ${ago(deletedAt, host.now())}`,
          value: id,
        })),
      )
      if (session !== undefined) await runShown(host, restore, { session })
    },
  }),
  named(rewind, { ask: chooseRewind }),
  named(tree, { show: treeView }),
  named(model, { ask: chooseModel }),
  named(mode, { ask: oneOf(mode, 'mode', 'Mode') }),
  named(theme, { ask: oneOf(theme, 'name', 'Colours') }),
  named(keys, { ask: oneOf(keys, 'kind', 'Keys of the editor') }),
  named(agent, {
    ask: askAgent,
    async show(host, result) {
      if (result.agent !== undefined) await host.answersNow(result.agent)
      // Where something was said the log tells it.
      if (host.session() === undefined) tellResult(host, agent, result)
    },
  }),
  named(share, { ask: chooseShare }),
  named(login, {
    async show(host, result, args) {
      if ('done' in result || result.ways.length === 0 || args['way'] !== undefined)
        return tellResult(host, login, result)
      const way = await host.choose(
        `Log in to ${result.agent}`,
        result.ways.map(({ id, name, about }) => ({ label: name, detail: about, value: id })),
      )
      if (way !== undefined) await runShown(host, login, { way })
    },
  }),
  named(queue, { show: queueView }),
  named(search, { ask: line('words', 'Search for'), show: searchView }),
  named(sql, { ask: line('query', 'One SELECT') }),
  named(board, { show: boardView }),
  named(boardAdd, { ask: line('entry', 'title: what to know') }),
  named(help, {
    async show(host, { text }, args) {
      const keysText = args['command'] === undefined ? `\n\n**Keys**\n\n${keyList(host.keys)}` : ''
      void host.page('Help', `${text}${keysText}`)
    },
  }),
] satisfies (readonly [string, View])[])
