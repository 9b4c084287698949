import type { Currency } from '@heirloom/core'
import { Problem } from '../api/problem.ts'
import { currencyOf } from '../currencies.ts'
import { formatShortAmount } from '../text/amount.ts'

type Shortage = { readonly balance: bigint; readonly needed: bigint; readonly code: string }

/** Returns the problem of a wallet that holds too little of a currency. */
export function tooLittle(kind: Currency, { balance, needed, code }: Shortage): Problem {
  const currency = currencyOf(kind)
  const [has, needs] = [balance, needed].map((it) => formatShortAmount(it, currency))
  return new Problem(
    `This wallet holds ${has}, and ${needs} is needed.`,
    `Nothing was paid. Add ${currency.symbol} to the wallet, or connect another one.`,
    { code },
  )
}
