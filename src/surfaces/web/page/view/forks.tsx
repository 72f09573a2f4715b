/** The tree of forks that a session belongs to, drawn: who came from whom, and which of them one looks at. */
import { ago, counted } from '../../../../lib/quantities.ts'
import type { ForksAnswer } from '../../api.ts'
import { sessionPath } from '../client.ts'
import { treeOf, type ForkNode } from '../model/fork-tree.ts'
import { hashOf } from '../model/route.ts'
import { visible } from '../model/words.ts'
import type { ArtifactProps } from './artifacts.tsx'
import { Failed } from './failed.tsx'
import { statusWords } from './session-facts.tsx'
import { useAnswer } from './use-answer.ts'

export function Forks({ id, version }: Pick<ArtifactProps, 'id' | 'version'>) {
  const { answer, failure } = useAnswer<ForksAnswer>(sessionPath(id, '/forks'), {}, { version })
  if (failure !== undefined) return <Failed failure={failure} />
  if (answer === undefined) return null
  const isAlone = answer.sessions.length === 1
  return (
    <>
      {answer.lost !== undefined && (
        <p class="faint">The session that the first was forked from is gone.</p>
      )}
      {isAlone && answer.lost === undefined && (
        <p class="faint">
          No forks. “Fork” at a message makes another session with the same beginning.
        </p>
      )}
      <ul class="tree">
        {treeOf(answer.sessions).map((node) => (
          <Node key={node.session.id} node={node} openId={id} now={Date.now()} />
        ))}
      </ul>
    </>
  )
}

type NodeProps = { readonly node: ForkNode; readonly openId: string; readonly now: number }

const Node = ({ node: { session, forks }, openId, now }: NodeProps) => (
  <li>
    <a
      class="fork"
      href={hashOf({ view: 'session', id: session.id })}
      aria-current={session.id === openId ? 'page' : undefined}
    >
      {session.status !== 'idle' && (
        <span class={`dot ${session.status}`} role="img" aria-label={statusWords[session.status]} />
      )}
      <span class="title">{visible(session.title) || session.id.slice(0, 8)}</span>
      <span class="faint when">
        {session.turns !== undefined && `${counted(session.turns, 'turn')} · `}
        {ago(session.modifiedAt, now)}
      </span>
    </a>
    {session.id === openId && session.forkedFrom !== undefined && (
      <a
        class="button quiet small"
        href={hashOf({ view: 'review', id: session.id, scope: 'fork' })}
      >
        Compare with its origin
      </a>
    )}
    {forks.length > 0 && (
      <ul>
        {forks.map((fork) => (
          <Node key={fork.session.id} node={fork} openId={openId} now={now} />
        ))}
      </ul>
    )}
  </li>
)
