import { Failure } from '@heirloom/core'

/** Returns the failure of a live source that does not answer, with the reason of the network. */
export const unreachable = (what: string, cause: unknown): Failure =>
  new Failure('import/unreachable', { what, reason: reasonOf(cause) }, { cause })

function reasonOf(error: unknown): string {
  const { cause, code, message } = Object(error)
  return String(Object(cause).code ?? (typeof code === 'string' ? code : message))
}
