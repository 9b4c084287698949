/**
 * Reports that a command line is not usable. Its message repeats an argument that was not understood
 * only when it is too short for a private key in the wrong place.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'command/usage'
  readonly facts = {}
}
