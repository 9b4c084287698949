/** A piece of text inside a block of Markdown. */
export type Inline =
  | string
  | { readonly kind: 'emphasis' | 'strong' | 'delete'; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  /** A link without an address leads to no page of the web. */
  | { readonly kind: 'link'; readonly href?: string; readonly inside: readonly Inline[] }
  | { readonly kind: 'image'; readonly alt: string; readonly address: string }

/** An item of a list; `isDone` is that of a task. */
export type Item = { readonly isDone: boolean | undefined; readonly inside: readonly Block[] }

/** A block of Markdown. It has no markup: what is shown is built from it. */
export type Block =
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly inside: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly Item[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'rule' }
