import type { BundleInput } from '../bundles/bundle.ts'
import type { CardInput } from '../bundles/card.ts'
import type { Saving } from '../bundles/saver.ts'
import { isFailure } from '../failure.ts'
import type { Line } from '../ports/cipher.ts'
import type { MintResult } from '../ports/ledger.ts'
import type { HoldId } from '../ports/names.ts'
import type { Ports } from '../ports/ports.ts'
import type { Budget, Idempotency } from '../tokens/write-terms.ts'
import type { Account, Salt, TokenId } from '../values/branded.ts'
import { removeBlobs, type SealedBundle, sealBundle } from './seal-bundle.ts'

/**
 * Seals a bundle for the agent, stores it and mints its token. Removes the stored blobs again when its
 * mint was never signed.
 */
export async function mintBundle(
  ports: Pick<Ports, 'blobStore' | 'cipher' | 'ledger'>,
  input: mintBundle.Input,
): Promise<MintResult> {
  const { blobStore, ledger } = ports
  const { bundle, card, parent, recipient = ledger.agent, idempotency, budget } = input
  const { salt, line, saving, isHandedOver } = input
  const place = { parent, recipient }
  const creator = ledger.agent
  const sealed = await sealBundle(ports, {
    bundle,
    card,
    ...place,
    salt,
    line,
    saving,
    creator,
    isHandedOver,
  })
  const { contentHash, digest, card: cardDigest } = sealed
  const token = { contentHash, digest, card: cardDigest, ...place, idempotency, budget }
  const mint = async () => {
    await input.beforeMinting?.(sealed)
    return ledger.mint({ ...token, hold: input.hold })
  }
  // A reader of a memory has its salt, and with it makes the same card that its token names.
  const own = salt === undefined ? sealed : { digest, card: undefined }
  const minted = await mint().catch(async (error: unknown) => {
    if (isDecided(error)) await removeBlobs(blobStore, own)
    throw error
  })
  if (minted.digest !== sealed.digest) await removeBlobs(blobStore, own)
  return minted
}

export declare namespace mintBundle {
  /** A memory, and the terms of its mint. */
  type Memory = {
    readonly bundle: BundleInput
    /** The public description of the memory, visible for ever; none when absent. */
    readonly card?: CardInput | undefined
    /** The token that this memory is based on; absent for a root. */
    readonly parent?: TokenId | undefined
    /** The owner of the new token; the agent when absent. */
    readonly recipient?: Account | undefined
    /** The salt of a memory that was sealed elsewhere, so that its content hash stays. */
    readonly salt?: Salt | undefined
    /** The line that the memory is the next version of; a line of its own when absent. */
    readonly line?: Line | undefined
    /** The one who saves it; sealed into its head. Nobody when absent. */
    readonly saving?: Saving | undefined
    /**
     * Whether the bytes or members of the bundle are handed over, with all that shares their buffer:
     * they may be changed, and those of a long one are released as soon as it is sealed.
     */
    readonly isHandedOver?: boolean | undefined
    /** The key and fingerprint that make the write once for all requests with this key. */
    readonly idempotency?: Idempotency | undefined
    /** The budget that the write is charged to; none when absent. */
    readonly budget?: Budget | undefined
  }
  type Input = Memory & {
    /** The hold that the mint decides. */
    readonly hold?: HoldId | undefined
    /** Runs after the bundle is stored and before its mint; may throw to refuse it. */
    readonly beforeMinting?: ((sealed: SealedBundle) => Promise<void>) | undefined
  }
}

/**
 * Reports whether it is certain after an error that no token is or will be minted. The failures of a
 * mint that was signed say less: one wrong answer of a node is enough for them.
 */
export function isDecided(error: unknown): boolean {
  return isFailure(error) && !error.code.startsWith('transaction/')
}
