import 'reflect-metadata'
import { naclCipher, type SealingKeys } from '@heirloom/adapters/cipher'
import { systemClock } from '@heirloom/adapters/clock'
import { type CachedBundles, decryptedCache } from '@heirloom/adapters/internal/decrypted-cache'
import {
  type BlobStore,
  type Catalogue,
  type Cipher,
  type Clock,
  type Erasures,
  type Ledger,
  type MemoryService,
  memoryService,
  type Names,
  type Openings,
  withoutErased,
} from '@heirloom/core'
import { type DependencyContainer, instanceCachingFactory, container as root } from 'tsyringe'
import { largestBody } from '../config/config.ts'
import { presentKeysCipher, type ServerKeys } from './keys/open-keys.ts'
import type { PackKeeper } from './packs/pack-keeper.ts'

/** A key in the container; the phantom member carries the type of its value. */
type Token<T> = symbol & { readonly of?: T }
const token = <T>(name: string): Token<T> => Symbol(name)

/** The actor of a service: a wallet on the ledger, and the tenant whose keys seal. */
export type Acting = {
  readonly ledger: Ledger
  /** The name of the tenant; absent for the server itself. */
  readonly tenant?: string
}

export const tokens = {
  blobStore: token<BlobStore>('BlobStore'),
  bundles: token<CachedBundles>('CachedBundles'),
  catalogue: token<Catalogue>('Catalogue'),
  cipher: token<Cipher>('Cipher'),
  clock: token<Clock>('Clock'),
  ledger: token<Ledger>('Ledger'),
  service: token<MemoryService>('MemoryService'),
  serviceOf: token<(acting: Acting) => MemoryService>('ServiceOf'),
} as const

/** The parts that are started before the container is composed. */
export type StartedParts = {
  readonly blobStore: BlobStore
  readonly catalogue: Catalogue
  readonly ledger: Ledger
  readonly names: Names
  /** The record of openings of memories. */
  readonly openings: Pick<Openings, 'record'>
  readonly keys: Pick<ServerKeys, 'current' | 'find' | 'facts' | 'refreshUnknown'>
  /** The size of the decrypted cache, in bytes. */
  readonly keepOpened: number
  /** Stores the packs of versions. */
  readonly packs: PackKeeper
  /** Reports whether a long memory that is sealed now is sealed in parts; all are when absent. */
  readonly isInParts?: (() => boolean) | undefined
  /** The erased memories; none when absent. */
  readonly erasures?: Pick<Erasures, 'find'> | undefined
}

/** Returns the value of a token, created at the first call. */
export const get = <T>(box: DependencyContainer, key: Token<T>): T => box.resolve<T>(key)

const once = <T>(
  box: DependencyContainer,
  key: Token<T>,
  make: (box: DependencyContainer) => T,
): DependencyContainer => box.register<T>(key, { useFactory: instanceCachingFactory(make) })

/** Composes the parts of a server. The caller still closes the parts that it started. */
export function compose({
  blobStore,
  catalogue,
  ledger,
  names,
  openings,
  keys,
  keepOpened,
  packs,
  isInParts,
  erasures,
}: StartedParts): DependencyContainer {
  const box = root.createChildContainer()
  once(box, tokens.clock, () => systemClock())
  once(box, tokens.cipher, () => cipherOf(keys, isInParts))
  once(box, tokens.blobStore, () => blobStore)
  once(box, tokens.catalogue, () => catalogue)
  once(box, tokens.ledger, () => ledger)
  once(box, tokens.bundles, (it) => {
    const stored = { blobStore: get(it, tokens.blobStore), cipher: get(it, tokens.cipher) }
    const bundles = decryptedCache(stored, keepOpened)
    const cipher = presentKeysCipher(bundles.cipher, keys)
    const blobStore = packs.store(bundles.blobStore)
    return {
      ...bundles,
      // Around the cache, which may hold what another server has erased.
      blobStore: erasures ? withoutErased(blobStore, erasures) : blobStore,
      cipher: { ...cipher, seal: packs.seal(cipher) },
    }
  })
  once(box, tokens.serviceOf, (it) => {
    const shared = { ...get(it, tokens.bundles), clock: get(it, tokens.clock), names, openings }
    return ({ ledger, tenant }) => {
      if (tenant === undefined) return memoryService({ ...shared, ledger })
      // An account with the right opens what any tenant sealed; only the tenant seals under its keys.
      const tenantKeys = { find: keys.find, current: () => keys.current(tenant) }
      const own = cipherOf(tenantKeys, isInParts)
      const seal = packs.seal(own)
      return memoryService({ ...shared, ledger, cipher: { ...shared.cipher, seal } })
    }
  })
  once(box, tokens.service, (it) => get(it, tokens.serviceOf)({ ledger: get(it, tokens.ledger) }))
  return box
}

/** Returns the cipher of a server; a memory that was accepted under a larger BODY_LIMIT still opens. */
export const cipherOf = (keys: SealingKeys, isInParts = () => true): Cipher =>
  naclCipher({ keys, documentLimit: largestBody, isInParts })
