import { type Failure, isFailure } from '@heirloom/core'
import { bigintJson } from '../api/bigint-json.ts'
import { problemOf } from '../api/problem.ts'
import { type FactsOf, HeirloomError } from '../client/heirloom-error.ts'

/**
 * Runs an act of a wallet, and throws a `HeirloomError` in place of a failure of the core or of the
 * chain.
 */
export async function translateFailures<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw isFailure(error) ? toClientError(error) : error
  }
}

function toClientError(failure: Failure): HeirloomError {
  const { code, facts, retryable } = problemOf(failure)
  return new HeirloomError({
    code,
    facts: JSON.parse(JSON.stringify(facts, bigintJson)) as FactsOf<typeof code>,
    message: messages[code] ?? failure.message,
    retryable,
    cause: failure.cause,
  })
}

// The sentences of these failures are about a server.
const messages: Readonly<Record<string, string>> = {
  'transaction/unknown':
    'The wallet did not report whether it sent the transaction; look in the wallet before you try again.',
  'wallet/call-limit': 'The act may cost more than this wallet may spend on one act.',
  'wallet/day-limit':
    'The act may cost more than is left of what this wallet may spend today (UTC).',
}
