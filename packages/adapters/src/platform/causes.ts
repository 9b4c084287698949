/** Yields an error and its chain of causes, the outermost first. */
export function* causes(error: unknown): Generator<object> {
  for (let it = error; typeof it === 'object' && it !== null; it = (it as Error).cause) yield it
}
