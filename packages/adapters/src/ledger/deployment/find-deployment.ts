import type { Hex, PublicClient } from 'viem'
import { type ContractPair, type DeployedPair, findPair } from '../contract-pair.ts'
import { callNode } from '../node-call.ts'
import { pairAddresses } from './simulate.ts'

/** A deployment that is signed and may have been sent. */
export type SignedDeployment = ContractPair & {
  /** The dollar that the pair is bound to; absent for none. */
  readonly dollar?: Hex | undefined
  readonly deployer: Hex
  readonly nonce: number
  /** The transactions signed with this nonce; the chain accepts at most one of them. */
  readonly txHashes: readonly Hex[]
}

/** The transaction that deployed a pair. */
export type DeploymentTransaction = { readonly txHash: Hex; readonly blockNumber: bigint }

/** The status of a signed deployment. */
export type DeploymentStatus =
  | {
      readonly kind: 'made'
      readonly pair: DeployedPair
      /** Absent if the node no longer has the receipt. */
      readonly making: DeploymentTransaction | undefined
    }
  /** The node has it in its pool. */
  | { readonly kind: 'sent'; readonly txHash: Hex }
  /** The node does not have it, and its nonce is unused. */
  | { readonly kind: 'unsent' }
  /** It reverted, or another transaction used its nonce. */
  | { readonly kind: 'void' }

/**
 * Returns the status of a signed deployment.
 *
 * @throws `ledger/unavailable`
 */
export async function deploymentStatus(
  client: PublicClient,
  signed: SignedDeployment,
): Promise<DeploymentStatus> {
  const { deployer, marketplace, nonce, txHashes } = signed
  // Both reads name the block: nodes behind one address may be a block apart, and one without the
  // block fails.
  const blockNumber = await callNode('eth_blockNumber', () => client.getBlockNumber())
  const [count, search] = await Promise.all([
    callNode('eth_getTransactionCount', () =>
      client.getTransactionCount({ address: deployer, blockNumber }),
    ),
    findPair(client, { marketplace, blockNumber }),
  ])
  if (search.kind === 'pair') {
    return { kind: 'made', pair: search.pair, making: await findMined(client, txHashes) }
  }
  if (count > nonce) return { kind: 'void' }
  const known = await Promise.all(txHashes.map((hash) => isKnown(client, hash)))
  const txHash = txHashes.find((_, index) => known[index])
  return txHash === undefined ? { kind: 'unsent' } : { kind: 'sent', txHash }
}

async function findMined(
  client: PublicClient,
  txHashes: readonly Hex[],
): Promise<DeploymentTransaction | undefined> {
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

/** The number of a wallet's first transactions that are searched. */
const searchedTransactions = 10

/**
 * Returns the pair that one of a wallet's first ten transactions deployed.
 *
 * @throws `ledger/unavailable`
 */
export async function findFirstPair(
  client: PublicClient,
  wallet: Hex,
): Promise<DeployedPair | undefined> {
  const count = await callNode('eth_getTransactionCount', () =>
    client.getTransactionCount({ address: wallet }),
  )
  const nonces = Array.from({ length: Math.min(count, searchedTransactions) }, (_, nonce) => nonce)
  const searches = await Promise.all(
    nonces.map((nonce) =>
      findPair(client, { marketplace: pairAddresses(wallet, nonce).marketplace }),
    ),
  )
  return searches.find((search) => search.kind === 'pair')?.pair
}
