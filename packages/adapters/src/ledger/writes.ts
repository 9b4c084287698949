import {
  digest,
  Failure,
  hash,
  type Idempotency,
  instant,
  type Ledger,
  type LedgerWrite,
  rentalDays,
  royaltyShare,
  tokenId,
  type WriteResult,
} from '@heirloom/core'
import { encodeFunctionData } from 'viem'
import type { ContractPair } from './contract-pair.ts'
import { memoryMarketplaceAbi as market } from './contracts.generated.ts'
import { decodeMintContent, encodeMint, type Job, type Outcome } from './nonce-lane/job.ts'
import type { NonceLane } from './nonce-lane/nonce-lane.ts'

type Writes = Pick<Ledger, LedgerWrite | 'recall'>

/** Returns the writes of a ledger in a contract pair, paid by the lane's wallet. */
export function writes(lane: NonceLane, { registry, marketplace }: ContractPair): Writes {
  const send = async <write extends LedgerWrite>(
    operation: write,
    job: Pick<Job, 'data' | 'idempotency' | 'budget'> & { readonly value?: bigint },
  ) => {
    const to = operation === 'mint' ? registry : marketplace
    return writtenOf(operation, await lane.execute({ operation, to, value: 0n, ...job }))
  }
  return {
    recall: async <write extends LedgerWrite>(
      operation: write,
      idempotency: Idempotency,
    ): Promise<WriteResult<write> | undefined> => {
      const outcome = await lane.recall(operation, idempotency)
      return outcome === undefined ? undefined : writtenOf(operation, outcome)
    },
    mint: async ({ recipient, contentHash, digest, parent, card, idempotency, budget }) => {
      if (parent === 0n) throw new Failure('token/not-found', { tokenId: parent })
      const data = encodeMint({ recipient, contentHash, digest, parent: parent ?? 0n, card })
      return send('mint', { data, idempotency, budget })
    },
    list: async ({ idempotency, budget, tokenId: id, ...terms }) => {
      const { price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
      const royaltyBps = BigInt(royaltyShare(forkRoyaltyBps))
      const args = [id, price, rentalPricePerDay, forkPrice, royaltyBps] as const
      const data = encodeFunctionData({ abi: market, functionName: 'list', args })
      return send('list', { data, idempotency, budget })
    },
    buy: async ({ tokenId: id, price: value, recipient, idempotency, budget }) => {
      const args = [id, recipient] as const
      const data = encodeFunctionData({ abi: market, functionName: 'buy', args })
      return send('buy', { data, value, idempotency, budget })
    },
    rent: async ({ tokenId: id, days, price: value, recipient, idempotency, budget }) => {
      const args = [id, recipient, BigInt(rentalDays(days))] as const
      const data = encodeFunctionData({ abi: market, functionName: 'rent', args })
      return send('rent', { data, value, idempotency, budget })
    },
    fork: async ({ tokenId: id, price: value, maxRoyaltyBps, recipient, idempotency, budget }) => {
      const args = [id, recipient, BigInt(royaltyShare(maxRoyaltyBps))] as const
      const data = encodeFunctionData({ abi: market, functionName: 'fork', args })
      return send('fork', { data, value, idempotency, budget })
    },
    payRoyalty: async ({ tokenId: id, amount: value, idempotency, budget }) => {
      const data = encodeFunctionData({ abi: market, functionName: 'payRoyalty', args: [id] })
      return send('payRoyalty', { data, value, idempotency, budget })
    },
  }
}

function writtenOf<write extends LedgerWrite>(
  operation: write,
  outcome: Outcome,
): WriteResult<write> {
  const read: (outcome: Outcome) => WriteResult<write> = readers[operation]
  return read(outcome)
}

type Readers = {
  readonly [write in LedgerWrite]: (outcome: Outcome) => WriteResult<write>
}

const receipt = ({ txHash }: Outcome) => ({ txHash })
const token = ({ txHash, tokenId: id = '' }: Outcome) => ({ txHash, tokenId: tokenId(id) })

/** The result of each write, from the outcome of its job. */
const readers: Readers = {
  mint: (outcome) => {
    const item = decodeMintContent(outcome.data)
    const content = { contentHash: hash(item.contentHash), digest: digest(item.digest) }
    return { ...token(outcome), ...content, acceptedAt: outcome.acceptedAt }
  },
  list: receipt,
  buy: receipt,
  rent: ({ txHash, expiresAt = 0 }) => ({ txHash, expiresAt: instant(expiresAt) }),
  fork: token,
  payRoyalty: receipt,
}
