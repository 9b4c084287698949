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
import { actWrites, type ResultReaders, resultOf } from './acts/act-writes.ts'
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
  ): Promise<WriteResult<write>> => {
    const outcome = await lane.execute({ ...encodeAct(pair, act), operation, ...more })
    return resultOf(readers, operation, outcome)
  }
  const made = actWrites(send, {
    mint: async ({ recipient, contentHash, digest, parent, card, hold, ...more }) => {
      if (parent === 0n) throw new Failure('token/not-found', { tokenId: parent })
      const item = { recipient, contentHash, digest, parent: parent ?? 0n, card }
      return send('mint', { kind: 'mint', ...item }, { hold, ...more })
    },
  })
  return {
    ...made,
    recall: async <write extends LedgerWrite>(
      operation: write,
      idempotency: Idempotency,
    ): Promise<WriteResult<write> | undefined> => {
      const outcome = await lane.recall(operation, idempotency)
      return outcome === undefined ? undefined : resultOf(readers, operation, outcome)
    },
  }
}

const token = ({ txHash, tokenId: id = '' }: Outcome) => ({ txHash, tokenId: tokenId(id) })

/** The results that say more than a receipt, from the outcome of a job. */
const readers: ResultReaders<Outcome> = {
  mint: (outcome) => {
    const item = decodeMintContent(outcome.data)
    const content = { contentHash: hash(item.contentHash), digest: digest(item.digest) }
    return { ...token(outcome), ...content, acceptedAt: outcome.acceptedAt }
  },
  rent: ({ txHash, expiresAt = 0 }) => ({ txHash, expiresAt: instant(expiresAt) }),
  fork: token,
}
