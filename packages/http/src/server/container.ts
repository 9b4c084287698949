import 'reflect-metadata'
import { naclCipher } from '@heirloom/adapters/cipher'
import { systemClock } from '@heirloom/adapters/clock'
import { decryptedCache } from '@heirloom/adapters/internal/decrypted-cache'
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

export const tokens = {
  blobStore: token<BlobStore>('BlobStore'),
  catalogue: token<Catalogue>('Catalogue'),
  cipher: token<Cipher>('Cipher'),
  clock: token<Clock>('Clock'),
  ledger: token<Ledger>('Ledger'),
  service: token<MemoryService>('MemoryService'),
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
  // A memory that was accepted under a larger BODY_LIMIT must still open.
  once(box, tokens.cipher, () => naclCipher({ keys, documentLimit: largestBody }))
  once(box, tokens.blobStore, () => blobStore)
  once(box, tokens.catalogue, () => catalogue)
  once(box, tokens.ledger, () => ledger)
  once(box, tokens.service, (it) => {
    const stored = { blobStore: get(it, tokens.blobStore), cipher: get(it, tokens.cipher) }
    const bundles = decryptedCache(stored, keepOpened)
    return memoryService({
      ...bundles,
      cipher: presentKeysCipher(bundles.cipher, keys),
      clock: get(it, tokens.clock),
      ledger: get(it, tokens.ledger),
    })
  })
  return box
}
