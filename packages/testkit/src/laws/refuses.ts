import assert from 'node:assert/strict'
import { type FailureCode, isFailure } from '@heirloom/core'

/** Asserts that a promise rejects with a failure of this code. */
export async function refuses(code: FailureCode, act: Promise<unknown>): Promise<void> {
  const outcome = await act.then(
    () => 'success',
    (error: unknown) => (isFailure(error) ? error.code : error),
  )
  assert.deepEqual(outcome, code)
}
