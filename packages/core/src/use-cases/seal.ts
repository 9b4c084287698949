import type { BundleInput } from '../bundles/bundle.ts'
import type { CardInput } from '../bundles/card.ts'
import type { Saving } from '../bundles/saver.ts'
import type { Registry } from '../bundles/seal-context.ts'
import type { Line } from '../ports/cipher.ts'
import type { Ports } from '../ports/ports.ts'
import type { Account, Digest, Hash, Salt, TokenId } from '../values/branded.ts'
import { storageUri } from '../values/hex.ts'
import { sealBundle } from './seal-bundle.ts'
import { snapshotFailures } from './snapshot.ts'

/** The failures of `seal`. */
export const sealFailures = [...snapshotFailures, 'ledger/unavailable'] as const

/**
 * Seals a memory bundle for a creator that mints it itself, and stores it. Mints nothing: only a
 * token that the creator mints opens. The caller has verified with `proveCreator` that the creator
 * asks for it.
 *
 * @throws `bundle/malformed`, `card/malformed`, `json/malformed`, `json/duplicate-member`,
 * `json/too-deep`, `excerpt/not-in-memory`, `token/not-found` for the parent, `recipient/invalid`,
 * `blob/unavailable`, `ledger/unavailable`, and what `beforeStoring` throws
 */
export async function seal(
  ports: Pick<Ports, 'blobStore' | 'cipher' | 'ledger'>,
  { bundle, card, parent, creator, recipient = creator, ...rest }: seal.Input,
): Promise<seal.Output> {
  const input = { bundle, card, parent, recipient, creator, ...rest }
  const sealed = await sealBundle(ports, input)
  const { registry } = ports.ledger
  return { ...sealed, storageUri: storageUri(sealed.digest), registry, creator, recipient, parent }
}

export declare namespace seal {
  type Input = {
    readonly bundle: BundleInput
    /** The account that will mint the token; nobody else can mint a token that opens. */
    readonly creator: Account
    /** The public description of the memory, visible for ever; none when absent. */
    readonly card?: CardInput | undefined
    /** The token that this memory is based on; absent for a root. */
    readonly parent?: TokenId | undefined
    /** The owner of the token to mint; the creator when absent. */
    readonly recipient?: Account | undefined
    /** The salt of a memory that was sealed elsewhere, so that its content hash stays. */
    readonly salt?: Salt | undefined
    /** The line that the memory is the next version of; a line of its own when absent. */
    readonly line?: Line | undefined
    /** The one who saves it; sealed into its head. Nobody when absent. */
    readonly saving?: Saving | undefined
    /**
     * Whether the bytes or members of the bundle are handed over, with all that shares their buffer:
     * those of a long one are released as soon as it is sealed.
     */
    readonly isHandedOver?: boolean | undefined
    /** Runs with the number of bytes to store, before they are stored; may throw to refuse. */
    readonly beforeStoring?: ((bytes: number) => Promise<void>) | undefined
  }
  type Output = {
    readonly contentHash: Hash
    readonly digest: Digest
    readonly storageUri: string
    /** The digest of the card's block; absent without a card. */
    readonly card: Digest | undefined
    /** The size of the document, in bytes. */
    readonly documentBytes: number
    readonly registry: Registry
    readonly creator: Account
    readonly recipient: Account
    readonly parent: TokenId | undefined
  }
}
