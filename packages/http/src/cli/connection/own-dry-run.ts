import type { Quote, Wallet } from '../../wallet/wallet.ts'
import { amountText } from '../terminal/amount-text.ts'
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
  const { from, to, price, maxFee, balance } = quote
  const fees = maxFee === null ? 'fees' : `at most ${amountText(BigInt(maxFee))} in fees`
  const cost = price === '0' ? fees : `${amountText(BigInt(price))}, and ${fees}`
  const isShort = BigInt(balance) < BigInt(price) + BigInt(maxFee ?? 1)
  const warnings = [
    ...(warning === undefined ? [] : [warning]),
    ...(isShort ? ['The wallet holds less than this.'] : []),
  ]
  return {
    value: { dryRun: true, act, chainId, ...quote, shares },
    lines: [
      'Dry run: nothing is signed or sent.',
      ...rows([
        ['Would call', `${act} of the contract ${to} on chain ${chainId}`],
        ['Would pay', cost],
        ...shares.map((it) => shareRow(it)),
        ['From your wallet', `${from}, which holds ${amountText(BigInt(balance))}`],
      ]),
      ...warnings.map((text) => [{ style: 'yellow', text } as const]),
    ],
  }
}

const shareRow = ({ to, amount, why }: Share) =>
  ['', `${amountText(BigInt(amount))} to ${to}, ${why}`] as const
