import 'reflect-metadata'
import { naclCipher, type SealingKeys } from '@heirloom/adapters/cipher'
import { systemClock } from '@heirloom/adapters/clock'
import { type BundlePorts, decryptedCache } from '@heirloom/adapters/internal/decrypted-cache'
import {
  type BlobStore,
  type Catalogue,
  type Cipher,
  type Clock,
  type Ledger,
  type MemoryService,
  memoryService,
} from '@heirloom/core'
import { type DependencyContainer, instanceCachingFactory, container as root } from 'tsyringe'
import { largestBody } from '../config/config.ts'
import type { ServerKeys } from './keys/open-keys.ts'
import { presentKeysCipher } from './keys/present-keys-cipher.ts'

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
  bundles: token<BundlePorts>('BundlePorts'),
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
  readonly keys: Pick<ServerKeys, 'current' | 'find' | 'facts' | 'refreshUnknown'>
  /** The size of the decrypted cache, in bytes. */
  readonly keepOpened: number
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
  keys,
  keepOpened,
}: StartedParts): DependencyContainer {
  const box = root.createChildContainer()
  once(box, tokens.clock, () => systemClock())
  once(box, tokens.cipher, () => cipherOf(keys))
  once(box, tokens.blobStore, () => blobStore)
  once(box, tokens.catalogue, () => catalogue)
  once(box, tokens.ledger, () => ledger)
  once(box, tokens.bundles, (it) => {
    const stored = { blobStore: get(it, tokens.blobStore), cipher: get(it, tokens.cipher) }
    const bundles = decryptedCache(stored, keepOpened)
    return { ...bundles, cipher: presentKeysCipher(bundles.cipher, keys) }
  })
  once(box, tokens.serviceOf, (it) => {
    const shared = { ...get(it, tokens.bundles), clock: get(it, tokens.clock) }
    return ({ ledger, tenant }) => {
      if (tenant === undefined) return memoryService({ ...shared, ledger })
      // Whoever has the right opens what any tenant sealed; only the tenant seals under its keys.
      const { seal } = cipherOf({ find: keys.find, current: () => keys.current(tenant) })
      return memoryService({ ...shared, ledger, cipher: { ...shared.cipher, seal } })
    }
  })
  once(box, tokens.service, (it) => get(it, tokens.serviceOf)({ ledger: get(it, tokens.ledger) }))
  return box
}

// A memory that was accepted under a larger BODY_LIMIT must still open.
const cipherOf = (keys: SealingKeys): Cipher => naclCipher({ keys, documentLimit: largestBody })
