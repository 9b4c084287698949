import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useTitle } from './announce.ts'

type SectionProps = {
  readonly id: string
  readonly title: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** Shows a section under its heading, which names it. */
export function Section({ id, title, class: name, children }: SectionProps): JSX.Element {
  return (
    <section class={name} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

type WelcomeProps = { readonly title: string; readonly children?: ComponentChildren }

/** Begins a view: with its title, which the browser shows, too, and what it is for. */
export function Welcome({ title, children }: WelcomeProps): JSX.Element {
  useTitle(title)
  return (
    <header class="welcome">
      <h1>{title}</h1>
      {children !== undefined && <p class="lead">{children}</p>}
    </header>
  )
}

type FactProps = { readonly name: ComponentChildren; readonly value: ComponentChildren }

/** Shows a fact of a list of facts. */
export function Fact({ name, value }: FactProps): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

type FactRowProps = {
  readonly name: ComponentChildren
  readonly class?: string | undefined
  readonly children: ComponentChildren
}

/** Shows a fact of a list of facts, in a row of its own. */
export function FactRow({ name, class: className, children }: FactRowProps): JSX.Element {
  return (
    <div class={className}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type ButtonProps = Omit<ButtonHTMLAttributes, 'name' | 'type' | 'onClick'> & {
  readonly name: ComponentChildren
  readonly onClick: () => unknown
}

/** Shows a button that acts in this page, and sends no form. */
export function Button({ name, ...button }: ButtonProps): JSX.Element {
  return (
    <button type="button" {...button}>
      {name}
    </button>
  )
}

/** Shows a button on a line of its own. */
export function ButtonLine(button: ButtonProps): JSX.Element {
  return (
    <p class="buttons">
      <Button {...button} />
    </p>
  )
}

type FoldProps = Pick<SectionProps, 'children'> & {
  readonly summary: ComponentChildren
  readonly id?: string
  readonly class?: string
}

/** Shows what its visitor opens, and builds it only then; what was built stays while it is folded. */
export function Fold({ summary, children, ...others }: FoldProps): JSX.Element {
  const [wasOpened, setOpened] = useState(false)
  return (
    <details {...others} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>{summary}</summary>
      {wasOpened && children}
    </details>
  )
}

type MoreProps = { readonly left: number; readonly onClick: () => unknown }

/** Shows a button that shows more of a list, as long as some of it is left. */
export const MoreButton = ({ left, onClick }: MoreProps): JSX.Element | undefined =>
  left > 0 ? (
    <Button name={`Show more (${left.toLocaleString('en')} left)`} onClick={onClick} />
  ) : undefined
