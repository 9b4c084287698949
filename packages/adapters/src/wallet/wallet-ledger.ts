import {
  type Account,
  digest,
  Failure,
  fromSeconds,
  hash,
  type Idempotency,
  type Instant,
  instant,
  type Ledger,
  type LedgerWrite,
  type TokenId,
  tokenId,
  type WriteResult,
} from '@heirloom/core'
import {
  type Act,
  actWrites,
  type MakeAct,
  type Reads,
  type ResultReaders,
  resultOf,
} from '../ledger/acts/index.ts'
import type { Performed } from './performer.ts'

/** The ledger of a wallet, whose agent is the wallet itself. */
export type WalletLedger = Pick<Ledger, 'agent' | 'recall' | LedgerWrite> & Reads

export declare namespace walletLedger {
  type Parts = {
    readonly agent: Account
    readonly reads: Reads
    /** Performs an act, once for each key. */
    readonly perform: (act: Act, idempotency: Idempotency | undefined) => Promise<Performed>
    readonly recall: (idempotency: Idempotency) => Promise<Performed | undefined>
    readonly now: () => number
  }
}

/** Returns the ledger of a wallet. The use cases of the core decide on it as they do on a server. */
export function walletLedger({
  agent,
  reads,
  perform,
  ...parts
}: walletLedger.Parts): WalletLedger {
  const results = readers(parts)
  const make: MakeAct = async <kind extends LedgerWrite>(
    kind: kind,
    act: Extract<Act, { kind: kind }>,
    { idempotency }: Parameters<MakeAct>[2],
  ): Promise<WriteResult<kind>> => resultOf(results, kind, await perform(act, idempotency))
  const writes = actWrites(make, {
    mint: ({ idempotency, parent = 0n, recipient, contentHash, digest: of, card }) =>
      make(
        'mint',
        { kind: 'mint', recipient, contentHash, digest: of, card, parent },
        { idempotency },
      ),
  })
  return {
    agent,
    ...reads,
    ...writes,
    recall: async <kind extends LedgerWrite>(
      kind: kind,
      idempotency: Idempotency,
    ): Promise<WriteResult<kind> | undefined> => {
      const performed = await parts.recall(idempotency)
      return performed && resultOf(results, kind, performed)
    },
  }
}

/** Returns what reads the results that say more than a receipt. */
const readers = ({ now }: Pick<walletLedger.Parts, 'now'>): ResultReaders<Performed> => ({
  mint: ({ act, ...performed }) => {
    if (act.kind !== 'mint') throw new Error('A mint was expected.')
    const content = { contentHash: hash(act.contentHash), digest: digest(act.digest) }
    const { txHash } = performed
    return { txHash, tokenId: tokenOf(performed), ...content, acceptedAt: instant(now()) }
  },
  rent: (performed) => ({ txHash: performed.txHash, expiresAt: endOf(performed) }),
  fork: (performed) => ({ txHash: performed.txHash, tokenId: tokenOf(performed) }),
})

type Effects = Pick<Performed, 'tokenIds' | 'expiresAt'>

/** Returns the token that an act minted. */
export const tokenOf = ({ tokenIds: [id] }: Pick<Effects, 'tokenIds'>): TokenId =>
  tokenId(requireEvent(id))

/** Returns when the rental of an act ends. */
export const endOf = ({ expiresAt }: Effects): Instant =>
  fromSeconds(Number(requireEvent(expiresAt)))

/** Requires what a successful act of the verified contracts always emits. */
function requireEvent(value: bigint | undefined): bigint {
  if (value === undefined) throw new Failure('ledger/unavailable', { operation: 'receipt' })
  return value
}
