import type { Currency } from '@heirloom/core'
import type { Quote, Wallet } from '../../wallet/wallet.ts'
import { amountText, priceText } from '../terminal/amount-text.ts'
import type { CommandResult } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'
import type { Share } from './dry-run.ts'

/** An act of your own wallet that is described and not signed. */
type OwnDryRun = {
  readonly act: string
  readonly quote: Quote
  /** The split of the price. */
  readonly shares?: readonly Share[]
  /** A warning about the act itself. */
  readonly warning?: string | undefined
}

/** Describes what an act of your own wallet would call and pay. */
export function ownDryRun(
  { chainId }: Pick<Wallet, 'chainId'>,
  { act, quote, shares = [], warning }: OwnDryRun,
): CommandResult {
  const { from, to } = quote
  const warnings = [
    ...(warning === undefined ? [] : [warning]),
    ...(isShort(quote) ? ['The wallet holds less than this.'] : []),
  ]
  return {
    value: { dryRun: true, act, chainId, ...quote, shares },
    lines: [
      'Dry run: nothing is signed or sent.',
      ...rows([
        ['Would call', `${act} of the contract ${to} on chain ${chainId}`],
        ['Would pay', costText(quote)],
        ...shares.map((it) => shareRow(it, currencyOf(quote))),
        ['From your wallet', `${from}, which holds ${holdingText(quote)}`],
      ]),
      ...warnings.map((text) => [{ style: 'yellow', text } as const]),
    ],
  }
}

const currencyOf = ({ dollars }: Quote) => (dollars === undefined ? 'native' : 'dollar')

function isShort({ price, maxFee, balance, dollars }: Quote): boolean {
  const isShortOfDollars = dollars !== undefined && BigInt(dollars.balance) < BigInt(dollars.price)
  return isShortOfDollars || BigInt(balance) < BigInt(price) + BigInt(maxFee ?? 1)
}

function costText({ price, maxFee, dollars }: Quote): string {
  const sum = dollars ? priceText('dollar', dollars.price) : priceText('native', price)
  const isFree = dollars === undefined && price === '0'
  if (maxFee === '0') return isFree ? 'nothing' : `${sum}, and no fees`
  const fees = maxFee === null ? 'fees' : `at most ${amountText(BigInt(maxFee))} in fees`
  return isFree ? fees : `${sum}, and ${fees}`
}

function holdingText({ balance, dollars }: Quote): string {
  const native = amountText(BigInt(balance))
  return dollars === undefined ? native : `${priceText('dollar', dollars.balance)} and ${native}`
}

const shareRow = ({ to, amount, why }: Share, currency: Currency) =>
  ['', `${priceText(currency, amount)} to ${to}, ${why}`] as const
