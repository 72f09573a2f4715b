/** A component that is drawn anew only when one of its properties is another one. */
import { Component, h, type ComponentType } from 'preact'

export function memo<P extends object>(Inner: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Readonly<Record<string, unknown>>
      const after = next as Readonly<Record<string, unknown>>
      const names = new Set([...Object.keys(before), ...Object.keys(after)])
      return [...names].some((name) => before[name] !== after[name])
    }
    override render() {
      return h(Inner, this.props as P)
    }
  }
}
