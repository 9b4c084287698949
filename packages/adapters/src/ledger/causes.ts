/** Yields an error and every cause below it, the outermost first. */
export function* causes(error: unknown): Generator<object> {
  for (let at = error; typeof at === 'object' && at !== null; at = (at as Error).cause) yield at
}
