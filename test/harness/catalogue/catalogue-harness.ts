import { createHash, randomBytes } from 'node:crypto'
import { type SqlCatalogue, sqlCatalogue } from '@heirloom/adapters/catalogue'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import { type Digest, digest } from '@heirloom/core'
import { type CatalogueHarness, memoryBlobStore, type Party } from '@heirloom/testkit'
import type { EvmHarness, OpenHarness } from '../chain/evm.ts'

/** A chain with accounts, and a catalogue that indexes it, until they are closed. */
export type OpenCatalogueHarness = CatalogueHarness & {
  readonly catalogue: SqlCatalogue
  readonly close: () => Promise<void>
}

/** Opens a catalogue, in a database, of a chain with accounts. */
export async function catalogueHarness(
  world: OpenHarness,
  options: Omit<
    sqlCatalogue.Options,
    keyof Pick<EvmHarness, 'chain' | 'contracts'> | 'cards' | 'seals'
  >,
): Promise<OpenCatalogueHarness> {
  const { chain, contracts } = world
  const blocks = new Map<Digest, Uint8Array>()
  const cards = async (name: Digest) => blocks.get(name)
  const cipher = cipherOf(randomBytes(32))
  const seals = async (name: Digest) => {
    const sealed = blocks.get(name)
    return sealed && cipher.inspect(sealed)
  }
  const blobs = memoryBlobStore()
  const store = (block: Uint8Array) => {
    const name = digest(`0x${createHash('sha256').update(block).digest('hex')}`)
    blocks.set(name, block)
    return name
  }
  const [{ ledger }] = world.parties as readonly [Party]
  const catalogue = await sqlCatalogue({ chain, contracts, cards, seals, ...options })
  return {
    ...world,
    catalogue,
    caughtUp: catalogue.caughtUp,
    keepCard: async (block) => store(block),
    seal: async (creator, { excerpts, isForeign = false } = {}) => {
      const document = Buffer.from(
        '{"data":{},"metadata":{"category":"test","importedFrom":{"format":"letta-af"}}}',
      )
      const context = { registry: ledger.registry, creator }
      const sealing = isForeign ? cipherOf(randomBytes(32)) : cipher
      const { sealed, contentHash } = await sealing.seal(document, context, { blobs, excerpts })
      return { contentHash, digest: store(sealed) }
    },
    close: async () => {
      await catalogue.close()
      await world.close()
    },
  }
}

const cipherOf = (key: Uint8Array) =>
  naclCipher({ keys: sealingKeyRing([key]), documentLimit: 1000 })
