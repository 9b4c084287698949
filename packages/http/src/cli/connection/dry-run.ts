import { bigintJson } from '../../api/bigint-json.ts'
import type { Client } from '../../client/client.ts'
import type { Wallet } from '../../client/responses.ts'
import { amountText } from '../terminal/amount-text.ts'
import type { CommandResult, Line } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'

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

function walletRows(wallet: Wallet): readonly (readonly [string, string])[] {
  const { maxSpendPerCall: call, maxSpendPerDay: day } = wallet
  return [
    ['From wallet', `${wallet.address}, which holds ${amountText(BigInt(wallet.balance))}`],
    ...(call === null ? [] : [['Limit per call', amountText(BigInt(call))] as const]),
    ...(day === null ? [] : [['Limit per day', amountText(BigInt(day))] as const]),
  ]
}

function warnings(wallet: Wallet, price: bigint): readonly Line[] {
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
