type Part = { readonly close: () => Promise<void> }

/**
 * Returns a function that waits for a part to open and registers its closing. Parts are closed in
 * reverse order; `beforeClose` runs before each part of this registrar is closed.
 */
export const registrar =
  (resources: AsyncDisposableStack, beforeClose = () => {}) =>
  async <T extends Part>(opening: Promise<T>): Promise<T> => {
    const part = await opening
    resources.defer(() => part.close())
    resources.defer(beforeClose)
    return part
  }

/** Waits until every part has opened or failed; then returns them all, or throws the first failure. */
export async function openAll<T extends readonly unknown[]>(
  openings: readonly [...{ [at in keyof T]: Promise<T[at]> }],
): Promise<T> {
  // A part that opens after another one failed must still be registered, or it would never close.
  await Promise.allSettled(openings)
  return (await Promise.all(openings)) as unknown as T
}
