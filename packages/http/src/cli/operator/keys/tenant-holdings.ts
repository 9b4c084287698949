import { type Holdings, readHoldings } from '@heirloom/adapters/internal/acts'
import { account, type Hex } from '@heirloom/core'
import { createPublicClient, custom } from 'viem'
import { amountText, dollarText } from '../../terminal/value-text.ts'
import { type KeyInstallation, withOwnChain } from './key-installation.ts'

/** Reads what a wallet has on the chain; `undefined` where there is no chain yet. */
export const readTenantHoldings = (
  installation: KeyInstallation,
  address: Hex,
): Promise<Holdings | undefined> =>
  withOwnChain(installation, async ({ source, contracts }) => {
    if (source instanceof URL) throw new TypeError('The chain of a configuration is open.')
    const client = createPublicClient({
      transport: custom(source, { retryCount: 0 }),
      cacheTime: 0,
    })
    return readHoldings(client, contracts, account(address))
  })

/** Returns whether nothing is left in a wallet. */
export const isEmpty = (holdings: Holdings): boolean => partsOf(holdings).length === 0

/** Names what is left in a wallet. */
export const holdingsText = (holdings: Holdings): string =>
  isEmpty(holdings) ? 'nothing' : partsOf(holdings).join(', ')

const partsOf = ({ balance, credit, tokens, dollars }: Holdings): readonly string[] =>
  [
    { amount: tokens, text: tokens === 1n ? '1 token' : `${tokens} tokens` },
    { amount: balance, text: amountText(balance) },
    { amount: credit, text: `a credit of ${amountText(credit)}` },
    ...(dollars === undefined
      ? []
      : [
          { amount: dollars.balance, text: dollarText(dollars.balance) },
          { amount: dollars.credit, text: `a credit of ${dollarText(dollars.credit)}` },
        ]),
  ]
    .filter(({ amount }) => amount > 0n)
    .map(({ text }) => text)

/** Returns what is left in a wallet as decimal strings. */
export const holdingsValue = ({ balance, credit, tokens, dollars }: Holdings) => ({
  balance: `${balance}`,
  credit: `${credit}`,
  tokens: `${tokens}`,
  ...(dollars && { dollars: { balance: `${dollars.balance}`, credit: `${dollars.credit}` } }),
})
