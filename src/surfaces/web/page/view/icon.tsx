/** Signs of one kept set (Lucide), drawn into the page: no font and no request brings them. */
import * as lucide from 'lucide-static'
import { h, type VNode } from 'preact'

const signs = {
  archive: lucide.Archive,
  attach: lucide.Paperclip,
  back: lucide.ArrowLeft,
  blame: lucide.UserSearch,
  board: lucide.Pin,
  branch: lucide.GitBranch,
  chart: lucide.ChartColumn,
  check: lucide.Check,
  close: lucide.X,
  command: lucide.Command,
  comment: lucide.MessageSquarePlus,
  copy: lucide.Copy,
  dark: lucide.Moon,
  down: lucide.ChevronDown,
  download: lucide.Download,
  earlier: lucide.ArrowUp,
  edit: lucide.Pencil,
  failed: lucide.CircleX,
  file: lucide.File,
  filter: lucide.ListFilter,
  find: lucide.TextSearch,
  folder: lucide.Folder,
  fork: lucide.GitFork,
  history: lucide.History,
  home: lucide.House,
  inbox: lucide.Inbox,
  keys: lucide.Keyboard,
  later: lucide.ArrowDown,
  light: lucide.Sun,
  link: lucide.Link,
  list: lucide.List,
  more: lucide.Ellipsis,
  next: lucide.ChevronRight,
  panel: lucide.PanelRight,
  permission: lucide.ShieldCheck,
  plus: lucide.Plus,
  redo: lucide.Redo2,
  restore: lucide.RotateCcw,
  review: lucide.FileDiff,
  running: lucide.LoaderCircle,
  search: lucide.Search,
  send: lucide.ArrowUp,
  shrink: lucide.FoldVertical,
  split: lucide.Columns2,
  sql: lucide.Database,
  stop: lucide.Square,
  system: lucide.SunMoon,
  team: lucide.Users,
  thought: lucide.Brain,
  tool: lucide.Wrench,
  trash: lucide.Trash2,
  undo: lucide.Undo2,
  unified: lucide.Rows2,
  waits: lucide.CircleAlert,
} as const

export type IconName = keyof typeof signs

const drawn = new Map<IconName, readonly VNode[]>()

/** `label` is for a sign that says something by itself; without it, it is only seen. */
export function Icon({ name, label }: { readonly name: IconName; readonly label?: string }) {
  return (
    <svg
      class={`icon i-${name}`}
      viewBox="0 0 24 24"
      width="16"
      height="16"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {partsOf(name)}
    </svg>
  )
}

function partsOf(name: IconName): readonly VNode[] {
  const known = drawn.get(name)
  if (known !== undefined) return known
  const shapes = signs[name].matchAll(
    /<(path|circle|rect|line|polyline|polygon|ellipse)\s([^>]*?)\/?>/g,
  )
  const parts = [...shapes].map(([, tag = '', attributes = '']) =>
    h(
      tag,
      Object.fromEntries(
        [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
          key,
          value,
        ]),
      ),
    ),
  )
  drawn.set(name, parts)
  return parts
}
