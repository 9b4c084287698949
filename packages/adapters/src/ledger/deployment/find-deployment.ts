import type { Hex, PublicClient } from 'viem'
import { ask } from '../connection.ts'
import { pairMadeBy } from './simulate.ts'
import { type ContractPair, findPair } from '../contract-pair.ts'

/** A deployment that was signed, and may have been sent. */
export type SignedDeployment = ContractPair & {
  readonly deployer: Hex
  readonly nonce: number
  /** All that were signed with this nonce; the chain takes one of them at most. */
  readonly txHashes: readonly Hex[]
}

/** Where a pair was made; absent where the node no longer knows. */
export type Making = { readonly txHash: Hex; readonly blockNumber: bigint }

/** What became of a signed deployment. */
export type Fate =
  | { readonly kind: 'made'; readonly pair: ContractPair; readonly making: Making | undefined }
  /** The node has it and will mine it. */
  | { readonly kind: 'sent'; readonly txHash: Hex }
  /** The node does not have it, and its nonce is free. */
  | { readonly kind: 'unsent' }
  /** It was mined without success, or something else took its nonce. */
  | { readonly kind: 'void' }

/**
 * Finds out what became of a signed deployment.
 *
 * @throws `ledger/unavailable`
 */
export async function fateOf(client: PublicClient, signed: SignedDeployment): Promise<Fate> {
  const { deployer, marketplace, nonce, txHashes } = signed
  // Nodes behind one address may differ by a block; of a block they do not have they tell nothing.
  const blockNumber = await ask('eth_blockNumber', () => client.getBlockNumber())
  const [used, found] = await Promise.all([
    ask('eth_getTransactionCount', () =>
      client.getTransactionCount({ address: deployer, blockNumber }),
    ),
    findPair(client, { marketplace, blockNumber }),
  ])
  if (found.kind === 'pair') {
    return { kind: 'made', pair: found.pair, making: await makingAmong(client, txHashes) }
  }
  if (used > nonce) return { kind: 'void' }
  const known = await Promise.all(txHashes.map((hash) => isKnown(client, hash)))
  const txHash = txHashes.find((_, index) => known[index])
  return txHash === undefined ? { kind: 'unsent' } : { kind: 'sent', txHash }
}

async function makingAmong(
  client: PublicClient,
  txHashes: readonly Hex[],
): Promise<Making | undefined> {
  const receipts = await Promise.all(
    txHashes.map((hash) => client.getTransactionReceipt({ hash }).catch(() => undefined)),
  )
  const receipt = receipts.find((one) => one?.status === 'success')
  return receipt && { txHash: receipt.transactionHash, blockNumber: receipt.blockNumber }
}

async function isKnown(client: PublicClient, hash: Hex): Promise<boolean> {
  return client.getTransaction({ hash }).then(
    () => true,
    () => false,
  )
}

const firstTransactions = 10

/**
 * Returns the pair that one of a wallet's first ten transactions made.
 *
 * @throws `ledger/unavailable`
 */
export async function firstPairOf(
  client: PublicClient,
  wallet: Hex,
): Promise<ContractPair | undefined> {
  const count = await ask('eth_getTransactionCount', () =>
    client.getTransactionCount({ address: wallet }),
  )
  const nonces = Array.from({ length: Math.min(count, firstTransactions) }, (_, nonce) => nonce)
  const findings = await Promise.all(
    nonces.map((nonce) => findPair(client, { marketplace: pairMadeBy(wallet, nonce).marketplace })),
  )
  return findings.find((finding) => finding.kind === 'pair')?.pair
}
