import assert from 'node:assert/strict'
import { type FailureCode, isFailure } from '@heirloom/core'

/** Asserts that a promise fails with a failure of the given code, and of no other. */
export async function refuses(code: FailureCode, act: Promise<unknown>): Promise<void> {
  const outcome = await act.then(
    () => 'success',
    (error: unknown) => (isFailure(error) ? error.code : error),
  )
  assert.deepEqual(outcome, code)
}
