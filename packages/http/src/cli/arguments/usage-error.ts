/** Tells a person what a command takes. It never repeats a word, which may be a key gone astray. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'command/usage'
  readonly facts = {}
}
