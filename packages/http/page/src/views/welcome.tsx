import type { JSX } from 'preact'

/** Says what this is. */
export function Welcome(): JSX.Element {
  return (
    <section class="welcome">
      <p class="eyebrow">An archive of agent memory</p>
      <h1>Memory you can own, prove, pass on and trade</h1>
      <p class="lead">
        What an agent has learned, sealed and proven on a chain. Buy it, rent it by the day, or fork
        it and let its makers share in what comes of it.
      </p>
    </section>
  )
}
