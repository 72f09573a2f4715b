/** A review as data: files in a tree, and comments as the message that the agent is sent. Pure. */
import type { ChangesAnswer } from '../../api.ts'

export type ChangedFile = ChangesAnswer['files'][number]

export type FileNode = {
  readonly name: string
  /** Absent for a folder. */
  readonly file?: ChangedFile
  readonly inside: readonly FileNode[]
}

type Folder = { readonly folders: Map<string, Folder>; readonly files: FileNode[] }

/** Folders that hold nothing but one folder are one line. */
export function treeOfFiles(files: readonly ChangedFile[]): readonly FileNode[] {
  const root: Folder = { folders: new Map(), files: [] }
  for (const file of files) {
    const parts = (file.of === 'session' ? `(session)/${file.path}` : file.path).split('/')
    const name = parts.pop() ?? file.path
    let folder = root
    for (const part of parts) {
      const next: Folder = folder.folders.get(part) ?? { folders: new Map(), files: [] }
      folder.folders.set(part, next)
      folder = next
    }
    folder.files.push({ name, file, inside: [] })
  }
  return nodesOf(root)
}

const nodesOf = ({ folders, files }: Folder): FileNode[] => [
  ...[...folders].map(([name, folder]) => joined(name, folder)),
  ...files,
]

function joined(name: string, folder: Folder): FileNode {
  const [only] = folder.folders
  if (folder.files.length === 0 && folder.folders.size === 1 && only !== undefined)
    return joined(`${name}/${only[0]}`, only[1])
  return { name, inside: nodesOf(folder) }
}

export type Comment = {
  readonly path: string
  /** Of the file as it is after the change, or before where the line is gone; 0 where it is not known. */
  readonly line: number
  readonly isRemoved: boolean
  readonly code: string
  readonly text: string
}

/** One message for all comments: each names its place and quotes its line. */
export function commentsAsMessage(comments: readonly Comment[]): string {
  const parts = comments.map(({ path, line, isRemoved, code, text }) => {
    const place = `${path}${line === 0 ? '' : `:${line}`}${isRemoved ? ' (removed)' : ''}`
    return `**${place}**\n\n> \`${code.trim().replaceAll('`', "'").slice(0, 200)}\`\n\n${text.trim()}`
  })
  const head = comments.length === 1 ? 'A comment on a change:' : 'Comments on the changes:'
  return [head, ...parts].join('\n\n')
}
