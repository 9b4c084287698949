import {
  digest,
  Failure,
  hash,
  type Idempotency,
  instant,
  type Ledger,
  type LedgerWrite,
  tokenId,
  type WriteResult,
} from '@heirloom/core'
import { type Act, encodeAct } from './acts/encode-act.ts'
import type { ContractPair } from './contract-pair.ts'
import { decodeMintContent, type Job, type Outcome } from './nonce-lane/job.ts'
import type { NonceLane } from './nonce-lane/nonce-lane.ts'

type Writes = Pick<Ledger, LedgerWrite | 'recall'>

/** Returns the writes of a ledger in a contract pair, paid by the lane's wallet. */
export function writes(lane: NonceLane, pair: ContractPair): Writes {
  const send = async <write extends LedgerWrite>(
    operation: write,
    act: Extract<Act, { kind: write }>,
    more: Pick<Job, 'idempotency' | 'budget' | 'hold'>,
  ) => writtenOf(operation, await lane.execute({ ...encodeAct(pair, act), operation, ...more }))
  return {
    recall: async <write extends LedgerWrite>(
      operation: write,
      idempotency: Idempotency,
    ): Promise<WriteResult<write> | undefined> => {
      const outcome = await lane.recall(operation, idempotency)
      return outcome === undefined ? undefined : writtenOf(operation, outcome)
    },
    mint: async ({ recipient, contentHash, digest, parent, card, hold, ...more }) => {
      if (parent === 0n) throw new Failure('token/not-found', { tokenId: parent })
      const item = { recipient, contentHash, digest, parent: parent ?? 0n, card }
      return send('mint', { kind: 'mint', ...item }, { hold, ...more })
    },
    list: async ({ idempotency, budget, ...terms }) =>
      send('list', { kind: 'list', ...terms }, { idempotency, budget }),
    buy: async ({ idempotency, budget, ...purchase }) =>
      send('buy', { kind: 'buy', ...purchase }, { idempotency, budget }),
    rent: async ({ idempotency, budget, ...rental }) =>
      send('rent', { kind: 'rent', ...rental }, { idempotency, budget }),
    fork: async ({ idempotency, budget, ...fork }) =>
      send('fork', { kind: 'fork', ...fork }, { idempotency, budget }),
    payRoyalty: async ({ idempotency, budget, ...payment }) =>
      send('payRoyalty', { kind: 'payRoyalty', ...payment }, { idempotency, budget }),
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
