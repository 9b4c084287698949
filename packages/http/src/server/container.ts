import 'reflect-metadata'
import { naclCipher } from '@heirloom/adapters/cipher'
import { systemClock } from '@heirloom/adapters/clock'
import { openedLately } from '@heirloom/adapters/opened-lately'
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
import { withPresentKeys } from './keys/present-keys-cipher.ts'

/** Names a thing in the container; the phantom carries its type. */
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

/** The parts that take time to start. */
export type Started = {
  readonly blobStore: BlobStore
  readonly catalogue: Catalogue
  readonly ledger: Ledger
  readonly keys: Pick<ServerKeys, 'current' | 'find' | 'facts' | 'lookAgain'>
  /** How much of the memories opened last is kept opened, in bytes. */
  readonly keepOpened: number
}

/** Returns what is kept under a token, made at the first call. */
export const get = <T>(box: DependencyContainer, key: Token<T>): T => box.resolve<T>(key)

const once = <T>(
  box: DependencyContainer,
  key: Token<T>,
  make: (box: DependencyContainer) => T,
): DependencyContainer => box.register<T>(key, { useFactory: instanceCachingFactory(make) })

/** Joins the parts of a server; closing them stays with whoever started them. */
export function compose({
  blobStore,
  catalogue,
  ledger,
  keys,
  keepOpened,
}: Started): DependencyContainer {
  const box = root.createChildContainer()
  once(box, tokens.clock, () => systemClock())
  // A smaller BODY_LIMIT must not lock away memories taken under a larger one.
  once(box, tokens.cipher, () => naclCipher({ keys, documentLimit: largestBody }))
  once(box, tokens.blobStore, () => blobStore)
  once(box, tokens.catalogue, () => catalogue)
  once(box, tokens.ledger, () => ledger)
  once(box, tokens.service, (it) => {
    const stored = { blobStore: get(it, tokens.blobStore), cipher: get(it, tokens.cipher) }
    const bundles = openedLately(stored, keepOpened)
    return memoryService({
      ...bundles,
      cipher: withPresentKeys(bundles.cipher, keys),
      clock: get(it, tokens.clock),
      ledger: get(it, tokens.ledger),
    })
  })
  return box
}
