/** Returns what an error says of its reason; of several errors at once, what the first one says. */
export function reasonOf(error: unknown): string {
  const { errors, message } = Object(error) as {
    readonly errors?: readonly unknown[]
    readonly message?: unknown
  }
  const [first] = errors ?? []
  if (first !== undefined) return reasonOf(first)
  return typeof message === 'string' && message !== '' ? message : String(error)
}
