import { account, digest, hash, storageUri, tokenId } from '@heirloom/core'
import { hexOf, sha256 } from '../client/proof/content-hash.ts'
import { type Actor, idempotencyOf, ledgerFor } from './actor.ts'
import { encodeSealBody, type SealBody } from './seal-memory.ts'
import type { ActOptions, Acts } from './wallet.ts'
import type { WalletLedger } from './wallet-ledger.ts'

/** Returns the snapshot of a wallet: the server seals the memory, and the wallet mints its token. */
export const snapshotAct = (actor: Actor): Pick<Acts, 'snapshot'> => ({
  snapshot: async (memory, options = {}) => {
    const request = encodeSealBody(memory, actor.agent)
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

type Token = Omit<Parameters<WalletLedger['mint']>[0], 'idempotency' | 'budget'>

async function sealedToken(actor: Actor, request: SealBody, options: ActOptions): Promise<Token> {
  const { recipient, contentHash, digest: of, parent, card } = await actor.seal(request, options)
  return {
    contentHash: hash(contentHash),
    digest: digest(of),
    recipient: account(recipient),
    parent: parent === 0n ? undefined : tokenId(parent),
    card: card === undefined ? undefined : digest(card),
  }
}
