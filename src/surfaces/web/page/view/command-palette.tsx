/** Everything that can be done, from one field: places, sessions, and every command of the open session. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { CommandAnswer, CommandsAnswer, SessionsAnswer } from '../../api.ts'
import { LONG_MS, post, sentence, sessionPath } from '../client.ts'
import type { Command } from '../model/keys.ts'
import { fitting, type Choice } from '../model/palette.ts'
import { titleOf } from '../model/sessions.ts'
import { visible } from '../model/words.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { Markdown } from './markdown.tsx'
import { PALETTE, optionId } from './palette.tsx'
import { useAnswer } from './use-answer.ts'

type Props = {
  readonly openId: string | undefined
  readonly run: (command: Command) => void
  readonly say: (text: string) => void
  readonly onClose: () => void
}

const MOST = 40

export function CommandPalette({ openId, run, say, onClose }: Props) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const [said, setSaid] = useState<string>()
  const commands = useAnswer<CommandsAnswer>(
    openId === undefined ? undefined : sessionPath(openId, '/commands'),
  )
  const sessions = useAnswer<SessionsAnswer>('/api/sessions', { sort: 'time', limit: 30, q: query })
  const choices = useMemo(
    () =>
      fitting(query, {
        commands: commands.answer?.commands ?? [],
        sessions: (sessions.answer?.sessions ?? []).map((each) => ({
          id: each.id,
          title: titleOf(each),
        })),
      }).slice(0, MOST),
    [query, commands.answer, sessions.answer],
  )
  useEffect(() => setAt(0), [query])
  const take = async (choice: Choice | undefined) => {
    if (choice === undefined) return
    if (choice.kind === 'page') {
      onClose()
      run(choice.command)
    } else if (choice.kind === 'session') {
      onClose()
      location.hash = choice.hash
    } else if (
      choice.wantsMore &&
      query.trim() !== choice.line.trim() &&
      !query.startsWith(`${choice.line.trim()} `)
    ) {
      setQuery(choice.line)
    } else if (openId !== undefined) {
      const text = query.startsWith(choice.line.trim()) ? query : choice.line
      try {
        const answer = await post<CommandAnswer>(sessionPath(openId, '/command'), { text }, LONG_MS)
        if (answer.message !== undefined)
          await post(sessionPath(openId, '/send'), { prompt: answer.message })
        if (answer.said === '') onClose()
        else setSaid(answer.said)
      } catch (error) {
        say(sentence(error))
      }
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) setAt((now) => (now + by + choices.length) % Math.max(1, choices.length))
    else if (event.key === 'Enter') void take(choices[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="What is to be done?" className="is-top" onClose={onClose}>
      <input
        class="command-field"
        role="combobox"
        aria-expanded="true"
        aria-controls={PALETTE}
        aria-activedescendant={optionId(at)}
        aria-label="Command, place or session"
        placeholder="A command, a place, a session…"
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {said !== undefined ? (
        <div class="said">
          <Markdown text={said} />
        </div>
      ) : (
        <ul id={PALETTE} class="palette" role="listbox" aria-label="What fits">
          {choices.map((choice, index) => (
            <li
              key={choice.key}
              id={optionId(index)}
              role="option"
              aria-selected={index === at}
              ref={(row) => void (index === at && row?.scrollIntoView({ block: 'nearest' }))}
              onClick={() => void take(choice)}
            >
              <Icon name={choice.icon} />
              <span class="label">{visible(choice.label)}</span>
              <span class="faint">{visible(choice.about)}</span>
              {choice.kind === 'page' && choice.keys !== undefined && <kbd>{choice.keys}</kbd>}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
