import { createHash } from 'node:crypto'
import { sqlCatalogue } from '@heirloom/adapters/catalogue'
import { type Digest, digest } from '@heirloom/core'
import type { CatalogueWorld } from '@heirloom/testkit'
import type { EvmWorld, OpenWorld } from './evm.ts'

/** A world whose chain a catalogue follows, until it is closed. */
export type OpenCatalogueWorld = CatalogueWorld & { readonly close: () => Promise<void> }

/** Follows the chain of a world with a catalogue in a database. */
export async function catalogueWorld(
  world: OpenWorld,
  options: Omit<sqlCatalogue.Options, keyof Pick<EvmWorld, 'chain' | 'contracts'> | 'cards'>,
): Promise<OpenCatalogueWorld> {
  const { chain, contracts } = world
  const blocks = new Map<Digest, Uint8Array>()
  const cards = async (name: Digest) => blocks.get(name)
  const catalogue = await sqlCatalogue({ chain, contracts, cards, ...options })
  return {
    ...world,
    catalogue,
    caughtUp: catalogue.caughtUp,
    keepCard: async (block) => {
      const name = digest(`0x${createHash('sha256').update(block).digest('hex')}`)
      blocks.set(name, block)
      return name
    },
    close: async () => {
      await catalogue.close()
      await world.close()
    },
  }
}
