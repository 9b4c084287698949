/** Returns a question that is asked again only when its last answer or failure is older than `milliseconds`. */
export function remembered<T>(
  ask: () => Promise<T>,
  { milliseconds, now = () => performance.now() }: remembered.Options,
): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined
  return () => {
    const at = now()
    if (last === undefined || at - last.at > milliseconds) last = { at, answer: ask() }
    return last.answer
  }
}

export declare namespace remembered {
  type Options = { readonly milliseconds: number; readonly now?: () => number }
}
