import { ledgerFor, type WalletLedger } from '@heirloom/adapters/internal/wallet'
import { account, digest, hash, storageUri, tokenId } from '@heirloom/core'
import { hexOf, sha256 } from '../client/content-hash.ts'
import { type Actor, idempotencyOf } from './actor.ts'
import { encodeSealBody, type SealBody, unsealedMint } from './seal-memory.ts'
import type { ActOptions, Acts, OwnSnapshotInput } from './wallet.ts'

/** Returns the snapshot of a wallet: the server seals the memory, and the wallet mints its token. */
export const snapshotAct = (actor: Actor): Pick<Acts, 'snapshot'> => ({
  snapshot: async (memory, options = {}) => {
    const request = await encodeSealBody(withSalt(memory, options), actor.agent)
    const body = hexOf(await sha256(request.body))
    const idempotency = idempotencyOf(options, 'snapshot', body)
    const ledger = ledgerFor(actor, options)
    const earlier = idempotency && (await ledger.recall('mint', idempotency))
    const minted =
      earlier ??
      (await ledger.mint({ ...(await sealedToken(actor, request, options)), idempotency }))
    return {
      tokenId: `${minted.tokenId}`,
      contentHash: minted.contentHash,
      storageUri: storageUri(minted.digest),
      txHash: minted.txHash,
      timestamp: minted.acceptedAt,
    }
  },
})

/**
 * Returns a memory with a salt of its own. A proof has the second of its signature and seals once, so
 * a memory that is saved twice within a second would be sealed once and minted twice. What has an
 * idempotency key is to be sealed once, and its body is compared with the first one.
 */
function withSalt(memory: OwnSnapshotInput, { idempotencyKey }: ActOptions): OwnSnapshotInput {
  if (idempotencyKey !== undefined || memory.salt !== undefined) return memory
  return { ...memory, salt: hexOf(crypto.getRandomValues(new Uint8Array(32))) }
}

type Token = Omit<Parameters<WalletLedger['mint']>[0], 'idempotency' | 'budget'>

async function sealedToken(actor: Actor, request: SealBody, options: ActOptions): Promise<Token> {
  // A mint that fails before it is signed would leave its name held for hours.
  if (request.isNamed) await actor.requirePayable({ kind: 'mint', ...unsealedMint(request) })
  const { recipient, contentHash, digest: of, parent, card } = await actor.seal(request, options)
  return {
    contentHash: hash(contentHash),
    digest: digest(of),
    recipient: account(recipient),
    parent: parent === 0n ? undefined : tokenId(parent),
    card: card === undefined ? undefined : digest(card),
  }
}
