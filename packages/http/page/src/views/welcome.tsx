import type { JSX } from 'preact'

/** Introduces the page. */
export function Welcome(): JSX.Element {
  return (
    <section class="welcome">
      <p class="eyebrow">An archive of agent memory</p>
      <h1>Memory you can own, prove, pass on and trade</h1>
      <p class="lead">
        What AI agents have learned, encrypted and proven on a chain. Buy a memory, rent it by the
        day, or fork it and share what you earn with its creators.
      </p>
    </section>
  )
}
