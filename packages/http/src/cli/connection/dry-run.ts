import type { Client } from '../../client/client.ts'
import type { Wallet } from '../../client/responses.ts'
import type { WriteOptions } from '../../client/transport/transport.ts'
import { spelledBigint } from '../../api/bigint-json.ts'
import { amountText } from '../arguments/read-amount.ts'
import { askToGoOn } from '../terminal/prompt.ts'
import type { Call, Options } from '../arguments/command.ts'
import { serverOptions } from './connect.ts'
import type { Answer, Line } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'
import { isAnswered } from '../terminal/terminal.ts'

/** What every command takes that has the server send a transaction. */
export const writeOptions = {
  'dry-run': {
    type: 'boolean',
    about: 'Tell what would be sent and paid, and send nothing.',
  },
  'idempotency-key': {
    type: 'string',
    value: 'KEY',
    about: 'Make the write once, however often this is run with the same key.',
  },
  ...serverOptions,
} as const satisfies Options

/** What every command takes that pays a price. */
export const payOptions = {
  yes: { type: 'boolean', short: 'y', about: 'Do not ask before paying.' },
  ...writeOptions,
} as const satisfies Options

type WriteCall = Pick<Call<never, typeof writeOptions>, 'options' | 'signal'>

/** Returns what goes with a write. */
export function writing({ options, signal }: WriteCall): WriteOptions {
  const { 'idempotency-key': idempotencyKey } = options
  return { signal, ...(idempotencyKey !== undefined && { idempotencyKey }) }
}

/** A write that is only told of. */
type Rehearsal = {
  readonly path: string
  readonly body: object
  /** What would be paid beside the fees of the transaction. */
  readonly price?: bigint
  /** Who would receive how much of it. */
  readonly shares?: readonly Share[]
}

/** A part of a price, and for what it is paid to whom. */
export type Share = { readonly to: string; readonly amount: string; readonly why: string }

/** Returns what a write would send and pay. */
export async function rehearsed(
  client: Client,
  rehearsal: Rehearsal,
  signal: AbortSignal,
): Promise<Answer> {
  const { path, body, price = 0n, shares = [] } = rehearsal
  // Nobody but the owner of a server with API keys is told of its wallet.
  const wallet = await client.wallet({ signal }).catch(() => undefined)
  const request = { method: 'POST', path, body }
  const cost = price === 0n ? 'the fees of the transaction' : `${amountText(price)}, and fees`
  const pairs = rows([
    ['Would send', `POST ${path} ${JSON.stringify(body, spelledBigint)}`],
    ['Would pay', cost],
    ...shares.map((it) => ['', `${amountText(BigInt(it.amount))} to ${it.to}, ${it.why}`] as const),
    ...(wallet ? walletRows(wallet) : []),
  ])
  return {
    value: { dryRun: true, request, price, shares, wallet: wallet ?? null },
    lines: ['Dry run: nothing is sent.', ...pairs, ...(wallet ? refusals(wallet, price) : [])],
  }
}

function walletRows(wallet: Wallet): readonly (readonly [string, string])[] {
  const { maxSpendPerCall: call, maxSpendPerDay: day } = wallet
  return [
    ['Out of', `${wallet.address}, which holds ${amountText(BigInt(wallet.balance))}`],
    ...(call === null ? [] : [['A call', `may cost ${amountText(BigInt(call))}`] as const]),
    ...(day === null ? [] : [['A day', `may cost ${amountText(BigInt(day))}`] as const]),
  ]
}

function refusals(wallet: Wallet, price: bigint): readonly Line[] {
  const { balance, spentToday, maxSpendPerCall: call, maxSpendPerDay: day } = wallet
  const today = price + BigInt(spentToday)
  return [
    ...(price > BigInt(balance) ? [warning('The wallet holds less than that.')] : []),
    ...(call !== null && price > BigInt(call)
      ? [warning('That is more than a call may cost.')]
      : []),
    ...(day !== null && today > BigInt(day)
      ? [warning('That is more than is left of today.')]
      : []),
  ]
}

const warning = (text: string): Line => [{ style: 'yellow', text }]

/** Asks before something is paid, where there is a person who did not say yes already. */
export async function approved(
  {
    terminal,
    output,
    options,
  }: Pick<Call<never, typeof payOptions>, 'terminal' | 'output' | 'options'>,
  question: string,
): Promise<void> {
  if (options.yes || output.json || !isAnswered(terminal)) return
  await askToGoOn(terminal, question)
}
