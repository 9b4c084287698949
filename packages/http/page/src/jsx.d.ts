import type { JSX as Preact } from 'preact'

declare global {
  /** The types of markup, which every component names. */
  namespace JSX {
    type Element = Preact.Element
  }
}
