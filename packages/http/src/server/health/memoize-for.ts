/** Memoizes a function: it runs again only once its last result or failure is older than `milliseconds`. */
export function memoizeFor<T>(
  compute: () => Promise<T>,
  { milliseconds, now = () => performance.now() }: memoizeFor.Options,
): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | undefined
  return () => {
    const at = now()
    if (last === undefined || at - last.at > milliseconds) last = { at, result: compute() }
    return last.result
  }
}

export declare namespace memoizeFor {
  type Options = { readonly milliseconds: number; readonly now?: () => number }
}
