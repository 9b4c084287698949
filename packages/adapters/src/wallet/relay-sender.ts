import { Failure } from '@heirloom/core'
import {
  type ActCall,
  callNode,
  encodeAct,
  simulateForwarded,
  waitForReceipt,
} from '../ledger/acts/index.ts'
import { deadlineAfter, readHead } from './chain-time.ts'
import type { WalletChain } from './open-chain.ts'
import type { OpenOrder } from './open-orders.ts'
import { type PostAct, relaySigned } from './relay-signed.ts'
import type { Prepared, Sender, Signer } from './sender.ts'
import { signRequest } from './sign-request.ts'
import { encodePayment } from './signed-act.ts'

export declare namespace relaySender {
  type Parts = {
    readonly chain: WalletChain
    readonly post: PostAct
    readonly now: () => number
    /** The longest wait for a block, in milliseconds. */
    readonly timeout: number | undefined
  }
}

/**
 * Returns the sender of an account that signs its acts and lets a server send them (ERC-2771, and orders
 * in dollars), so that it needs no native money. Whatever the server answers, the chain decides: an act
 * has happened once the account's own node shows it.
 */
export const relaySender = (signer: Signer, parts: relaySender.Parts): Sender => ({
  ...signer,
  prepare: async (act, order) => {
    const call = encodeAct(parts.chain.pair, act)
    if (call.value > 0n) throw paysNative
    return order === undefined
      ? prepareRequest(signer, call, parts)
      : preparePayment(signer, { call, order }, parts)
  },
  waitForReceipt: ({ txHash, signed }) =>
    signed === undefined
      ? waitForReceipt(parts.chain, { txHash, timeout: parts.timeout })
      : relaySigned(signed, parts),
  // The server pays them.
  highestOrderFee: async () => 0n,
  feeOf: () => 0n,
})

const paysNative = new Failure('relay/not-allowed', {
  problem: 'it pays native money, and a server relays only payments in dollars',
})

async function prepareRequest(
  signer: Signer,
  call: ActCall,
  parts: relaySender.Parts,
): Promise<Prepared> {
  const { client, pair } = parts.chain
  const gas = await simulateForwarded(client, pair, { from: signer.address, call })
  return {
    cost: 0n,
    send: async ({ onSent }) => {
      const head = await readHead(parts.chain)
      const deadline = deadlineAfter(parts.chain, { ...head, now: parts.now() })
      const request = await signRequest(signer, { call, gas, deadline }, parts.chain)
      const signed = { ...request, since: `${head.height}` }
      onSent({ txHash: signed.hash, signed })
    },
  }
}

type Payment = { readonly call: ActCall; readonly order: OpenOrder }

async function preparePayment(
  signer: Signer,
  { call, order }: Payment,
  { chain: { client } }: relaySender.Parts,
): Promise<Prepared> {
  const { operation, to, data } = call
  const simulated = { account: signer.address, to, data }
  await callNode(operation, () => client.estimateGas(simulated), data)
  const { hash, payment, since } = order
  // Later the payment is invalid; the order itself has no deadline.
  const deadline = Number(payment.validBefore) - 1
  const signed = { hash, body: encodePayment(payment), deadline, since: `${since}` }
  return { cost: 0n, send: async ({ onSent }) => onSent({ txHash: hash, signed }) }
}
