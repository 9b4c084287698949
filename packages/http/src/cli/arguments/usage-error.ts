/**
 * Reports that a command line is not usable. Its message never repeats an argument that was not
 * understood, which may be a private key in the wrong place.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'command/usage'
  readonly facts = {}
}
