import type { Currency } from '@heirloom/core'
import { bigintJson } from '../../api/bigint-json.ts'
import type { Client } from '../../client/client.ts'
import type { Wallet as ServerWallet } from '../../client/responses.ts'
import type { Quote, Wallet } from '../../wallet/wallet.ts'
import type { CommandResult, Line } from '../terminal/output.ts'
import { amountText, priceText, rows } from '../terminal/value-text.ts'

/** A write that is described and not sent. */
type DryRun = {
  readonly path: string
  readonly body: object
  /** The price to pay, besides the fees of the transaction. */
  readonly price?: bigint
  /** The split of the price. */
  readonly shares?: readonly Share[]
  /** A warning about the write itself. */
  readonly warning?: string | undefined
}

/** A part of a price, with its receiver and the reason. */
export type Share = { readonly to: string; readonly amount: string; readonly why: string }

/** Describes what a write would send and pay. */
export async function dryRun(
  client: Client,
  write: DryRun,
  signal: AbortSignal,
): Promise<CommandResult> {
  const { path, body, price = 0n, shares = [], warning: about } = write
  // A server with API keys shows its wallet only to their holders.
  const wallet = await client.wallet({ signal }).catch(() => undefined)
  const request = { method: 'POST', path, body }
  const cost = price === 0n ? 'the fees of the transaction' : `${amountText(price)}, and fees`
  const pairs = rows([
    ['Would send', `POST ${path} ${JSON.stringify(body, bigintJson)}`],
    ['Would pay', cost],
    ...shares.map((it) => ['', `${amountText(BigInt(it.amount))} to ${it.to}, ${it.why}`] as const),
    ...(wallet ? walletRows(wallet) : []),
  ])
  return {
    value: { dryRun: true, request, price, shares, wallet: wallet ?? null },
    lines: [
      'Dry run: nothing is sent.',
      ...pairs,
      ...(about === undefined ? [] : [warning(about)]),
      ...(wallet ? warnings(wallet, price) : []),
    ],
  }
}

function walletRows(wallet: ServerWallet): readonly (readonly [string, string])[] {
  const { maxSpendPerCall: call, maxSpendPerDay: day } = wallet
  return [
    ['From wallet', `${wallet.address}, which holds ${amountText(BigInt(wallet.balance))}`],
    ...(call === null ? [] : [['Limit per call', amountText(BigInt(call))] as const]),
    ...(day === null ? [] : [['Limit per day', amountText(BigInt(day))] as const]),
  ]
}

function warnings(wallet: ServerWallet, price: bigint): readonly Line[] {
  const { balance, spentToday, maxSpendPerCall: call, maxSpendPerDay: day } = wallet
  const today = price + BigInt(spentToday)
  return [
    ...(price > BigInt(balance) ? [warning('The wallet holds less than this.')] : []),
    ...(call !== null && price > BigInt(call) ? [warning('This exceeds the limit per call.')] : []),
    ...(day !== null && today > BigInt(day)
      ? [warning("This exceeds what is left of today's limit.")]
      : []),
  ]
}

const warning = (text: string): Line => [{ style: 'yellow', text }]

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
