/** The changed files as a tree of folders. Each leads to its lines. */
import type { FileNode } from '../model/review.ts'
import { hashOf, type Route } from '../model/route.ts'
import { visible } from '../model/words.ts'
import { Icon } from './icon.tsx'

type Props = {
  readonly nodes: readonly FileNode[]
  readonly route: Extract<Route, { view: 'review' }>
  readonly file: string | undefined
}

export const ReviewTree = (props: Props) => (
  <nav class="review-tree" aria-label="Changed files">
    <Nodes {...props} />
  </nav>
)

const marks = { created: 'good', modified: 'warn', deleted: 'bad' } as const
const signs = { created: '+', modified: '·', deleted: '−' } as const

const Nodes = ({ nodes, route, file }: Props) => (
  <ul>
    {nodes.map((node) => (
      <li key={node.name}>
        {node.file === undefined ? (
          <span class="folder">
            <Icon name="folder" /> {visible(node.name)}
          </span>
        ) : (
          <a
            href={hashOf({ ...route, file: node.file.path })}
            aria-current={node.file.path === file ? 'true' : undefined}
            title={visible(node.file.path)}
          >
            <span class={marks[node.file.change]} role="img" aria-label={node.file.change}>
              {signs[node.file.change]}
            </span>
            <span class="title">{visible(node.name)}</span>
          </a>
        )}
        {node.inside.length > 0 && <Nodes nodes={node.inside} route={route} file={file} />}
      </li>
    ))}
  </ul>
)
