/** A place where nothing is yet: what it is for, and how something comes there. */
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

type Props = {
  readonly icon: IconName
  readonly title: string
  readonly children: ComponentChildren
}

export const Empty = ({ icon, title, children }: Props) => (
  <div class="nothing">
    <Icon name={icon} />
    <p class="nothing-title">{title}</p>
    <p class="faint">{children}</p>
  </div>
)
