import type {
  EncodedOrder,
  OrderPayment,
  OrderRefund,
  OrderSettlement,
} from '@heirloom/adapters/internal/orders'
import {
  type ForwardRequest,
  type Relay,
  type RelayedAct,
  type RelayOptions,
  relayBudget,
} from '@heirloom/adapters/internal/relay'
import { type Account, type Budget, isFailure } from '@heirloom/core'
import type { RelaySettings } from '../config/read-limits.ts'
import type { ApiKey } from './api-keys/key-ring.ts'

/** A call that was signed, by its kind. */
export type SignedAct =
  | { readonly kind: 'forward'; readonly request: ForwardRequest }
  | { readonly kind: 'payOrder'; readonly payment: OrderPayment }
  | { readonly kind: 'settle'; readonly settlement: OrderSettlement }
  | { readonly kind: 'refund'; readonly refund: OrderRefund }

/** A client that asks for an act: its name, and its API key if it has one. */
export type RelayClient = { readonly name: string; readonly key: ApiKey | undefined }

/** Relays a signed act in the name of a client. @throws the failures of a `Relay` */
export type RelayActs = (act: SignedAct, client: RelayClient) => Promise<RelayedAct>

export declare namespace relayActs {
  type Options = {
    readonly settings: RelaySettings
    /** Counts each act with its result: `done`, or the code of its failure. */
    readonly count?: (relayed: { readonly act: string; readonly result: string }) => void
    /** Refuses an order whose token nobody can open. */
    readonly refuseOrder?: (order: EncodedOrder) => Promise<void>
  }
}

/** Returns a relay with the limits of a server: for each act, account, client and day. */
export function relayActs(relay: Relay, options: relayActs.Options): RelayActs {
  const { settings, count = () => undefined, refuseOrder } = options
  return async (signed, client) => {
    try {
      const order = orderOf(signed)
      if (order !== undefined) await refuseOrder?.(order)
      const relayed = await send(relay, signed, optionsFor(settings, signed, client))
      count({ act: relayed.act, result: 'done' })
      return relayed
    } catch (error) {
      count({ act: signed.kind, result: isFailure(error) ? error.code : 'unexpected' })
      throw error
    }
  }
}

/** Returns the order that an act would have carried out; a refund carries out none. */
function orderOf(signed: SignedAct): EncodedOrder | undefined {
  if (signed.kind === 'payOrder') return signed.payment.order
  return signed.kind === 'settle' ? signed.settlement.order : undefined
}

function send(relay: Relay, signed: SignedAct, options: RelayOptions): Promise<RelayedAct> {
  switch (signed.kind) {
    case 'forward':
      return relay.forward(signed.request, options)
    case 'payOrder':
      return relay.payOrder(signed.payment, options)
    case 'settle':
      return relay.settle(signed.settlement, options)
    default:
      return relay.refund(signed.refund, options)
  }
}

function optionsFor(
  { gas, leastOrder, perAct: perCall, perAccount, perClient, perDay }: RelaySettings,
  signed: SignedAct,
  { name, key }: RelayClient,
): RelayOptions {
  const signer = signerOf(signed)
  const budgets: readonly Budget[] = [
    ...(signer === undefined
      ? []
      : [{ name: relayBudget('account', signer.toLowerCase()), perDay: perAccount }]),
    ...(perClient === undefined ? [] : [{ name: relayBudget('client', name), perDay: perClient }]),
    { name: relayBudget('server'), perCall, perDay },
    ...(key === undefined ? [] : [key]),
  ]
  // All clients of a local server have one name.
  return { rules: { gas, leastOrder }, budgets, client: perClient === undefined ? undefined : name }
}

/**
 * Returns the account whose limit an act counts against; `undefined` where nobody signs the act. Anyone
 * can pay an order for somebody, and name a payment that was used before, so neither the recipient of
 * an order that was paid at its own address nor its payer has asked for it.
 */
function signerOf(signed: SignedAct): Account | undefined {
  if (signed.kind === 'forward') return signed.request.from
  return signed.kind === 'payOrder' ? signed.payment.payer : undefined
}
