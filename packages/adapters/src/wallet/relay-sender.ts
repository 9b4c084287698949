import { Failure, type Hex } from '@heirloom/core'
import type { PublicClient, TransactionReceipt } from 'viem'
import {
  type ActCall,
  callNode,
  type DeployedPair,
  decodeOrder,
  encodeAct,
  type Fate,
  fateIn,
  findForwarded,
  findOrder,
  isOrderOpen,
  nonceAtForwarder,
  simulateForwarded,
  waitForReceipt,
} from '../ledger/acts/index.ts'
import { deadlineAfter, readHead, type WalletChain } from './open-chain.ts'
import type { OpenOrder } from './open-orders.ts'
import type { Prepared, Sender, Signer } from './sender.ts'
import { signRequest } from './sign-order.ts'
import { decodeRequest, encodePayment, type RelayRequest, type SignedAct } from './signed-act.ts'
import { WalletError } from './wallet-error.ts'

/** The answer of a server: the hash of the transaction that it names, or what went wrong. */
export type RelayAnswer =
  | { readonly txHash: Hex }
  | {
      readonly error: unknown
      /** Whether the server says that it did not relay, and will not. */
      readonly isRefusal: boolean
    }

/** Lets a server relay what was signed. The same bytes may be sent any number of times. */
export type PostAct = (body: RelayRequest) => Promise<RelayAnswer>

type Parts = {
  readonly chain: WalletChain
  readonly post: PostAct
  readonly timeout: number | undefined
}

/**
 * Lets a server relay what was signed, and returns the receipt of the transaction that carried it out,
 * from any sender. What the server answers is only a hint where to look.
 *
 * @throws `transaction/unconfirmed` while it may be carried out later, `relay/failed` if it never can,
 * and the refusals of the server
 */
async function relaySigned(signed: SignedAct, parts: Parts): Promise<TransactionReceipt> {
  const answer = await parts.post(signed.body)
  const { error, isRefusal } = 'error' in answer ? answer : answered
  const fate = await fateOf(signed, answer, parts).catch((cause: unknown) => {
    throw relayUnconfirmed(signed, cause)
  })
  if (fate === 'superseded') throw failed('another call of the account took its place')
  if (fate === 'unclear') throw relayUnconfirmed(signed, error)
  if (fate !== undefined) return fate
  if (isRefusal) throw error
  const { time } = await readHead(parts.chain)
  if (time > signed.deadline) throw failed('its deadline has passed, and nobody sent it')
  throw relayUnconfirmed(signed, error)
}

const answered = { error: undefined, isRefusal: false }

/** Returns the error of what was signed and not seen on the chain: it may still be carried out. */
const relayUnconfirmed = ({ hash: txHash, deadline }: SignedAct, cause?: unknown) =>
  new WalletError(
    'transaction/unconfirmed',
    { txHash },
    {
      message: `The server has ${txHash}, which you signed, and the chain does not show it; it may be carried out until ${new Date(deadline * 1000).toISOString()}, so confirm it before you try again.`,
      cause,
    },
  )

const failed = (reason: string) => new Failure('relay/failed', { reason })

async function fateOf(
  signed: SignedAct,
  answer: RelayAnswer,
  { chain, timeout }: Parts,
): Promise<Fate> {
  if ('txHash' in answer) {
    const { txHash } = answer
    const receipt = await waitForReceipt(chain, { txHash, timeout }).catch(() => undefined)
    const fate = receipt && (await fateInReceipt(chain, signed, receipt))
    if (fate !== undefined) return fate
  }
  return findSigned(chain, signed)
}

/**
 * Returns what became of what was signed, as far as the chain shows it.
 *
 * @throws `ledger/unavailable`
 */
async function findSigned({ client, pair }: WalletChain, signed: SignedAct): Promise<Fate> {
  const call = callOf(signed)
  const since = BigInt(signed.since)
  if (call !== undefined) return findForwarded(client, pair, { ...call, since })
  return findOrder(client, pair, { hash: signed.hash, since })
}

/** The chain, as far as it shows what became of something that was signed. */
type Proof<Calls extends keyof PublicClient> = {
  readonly client: Pick<PublicClient, Calls>
  readonly pair: Omit<DeployedPair, 'depositCode' | 'dollar'>
}

/** A signed call with its nonce, or a signed order. */
type Signed = Pick<SignedAct, 'hash' | 'body' | 'nonce'>

/**
 * Returns the fate of what was signed in a transaction, which a server may have named; `undefined` if
 * nothing of it happened there.
 *
 * @throws `ledger/unavailable`
 */
export async function fateInReceipt(
  { client, pair }: Proof<'getTransaction'>,
  signed: Signed,
  receipt: TransactionReceipt,
): Promise<Fate> {
  if (receipt.status === 'reverted') return undefined
  const call = callOf(signed)
  if (call !== undefined) return fateIn(client, pair, { call, receipt })
  return decodeOrder(pair, receipt, signed.hash) && receipt
}

/**
 * Returns whether the chain shows that what was signed can be carried out no more, because it was, or
 * because something took its place.
 *
 * @throws `ledger/unavailable`
 */
export async function isUsedUp(
  { client, pair }: Proof<'request'>,
  signed: Signed,
): Promise<boolean> {
  const call = callOf(signed)
  if (call === undefined) return !(await isOrderOpen(client, pair, signed.hash))
  return (await nonceAtForwarder(client, pair, call.request.from)) > call.nonce
}

function callOf({ body: { request }, nonce }: Signed) {
  if (request === undefined || nonce === undefined) return undefined
  return { request: decodeRequest(request), nonce: BigInt(nonce) }
}

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
