import { WalletError } from '@heirloom/adapters/internal/wallet'
import { type Failure, type FailureCode, isFailure } from '@heirloom/core'
import { amountWithUnit } from '../api/amount-notation.ts'
import { bigintJson } from '../api/bigint-json.ts'
import { problemOf } from '../api/problem.ts'
import { type FactsOf, HeirloomError } from '../client/heirloom-error.ts'

/**
 * Runs an act of a wallet, and throws a `HeirloomError` in place of a failure of the core, of the chain
 * or of the wallet.
 */
export async function translateFailures<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof WalletError) throw new HeirloomError(partsOf(error))
    throw isFailure(error) ? toClientError(error) : error
  }
}

const partsOf = ({ code, facts, message, cause }: WalletError) => ({ code, facts, message, cause })

function toClientError(failure: Failure): HeirloomError {
  const { code, facts, retryable } = problemOf(failure)
  return new HeirloomError({
    code,
    facts: JSON.parse(JSON.stringify(facts, bigintJson)) as FactsOf<typeof code>,
    message: sentenceOf(failure),
    retryable,
    cause: failure.cause,
  })
}

/** Returns the sentence of a failure: those of the core about limits and reports are about a server. */
function sentenceOf(failure: Failure): string {
  if (isFailure(failure, 'transaction/unknown')) {
    return 'The wallet did not report whether it sent the transaction; look in the wallet before you try again.'
  }
  if (isFailure(failure, 'wallet/call-limit')) return callLimitSentence(failure.facts)
  if (isFailure(failure, 'wallet/day-limit')) return dayLimitSentence(failure.facts)
  return failure.message
}

type Facts<code extends FailureCode> = Failure<code>['facts']

function callLimitSentence({ needed, limit, currency = 'native' }: Facts<'wallet/call-limit'>) {
  const [cost, allowed] = [needed, limit].map((it) => amountWithUnit(currency, it))
  return `The act may cost up to ${cost}, and a limit of this wallet allows ${allowed} for one act; raise it to allow the act.`
}

function dayLimitSentence(facts: Facts<'wallet/day-limit'>): string {
  const { needed, spent, limit, currency = 'native' } = facts
  const [cost, gone, allowed] = [needed, spent, limit].map((it) => amountWithUnit(currency, it))
  const wait = needed > limit ? '' : 'try again tomorrow, or '
  return `The act may cost up to ${cost}, and this wallet has spent ${gone} of the ${allowed} that it may spend today (UTC); ${wait}raise that limit.`
}
