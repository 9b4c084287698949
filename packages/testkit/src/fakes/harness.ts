import { randomBytes } from 'node:crypto'
import {
  account,
  type BlobStore,
  type Cipher,
  type Digest,
  memoryService,
  readCard,
  type SealContext,
  type TokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import type { PrivateKeyAccount } from 'viem/accounts'
import {
  type CatalogueWorld,
  type LedgerWorld,
  type Party,
  pauperWallet,
  type World,
  wallets,
} from '../harness.ts'
import { memoryBlobStore } from './blob-store.ts'
import { memoryCatalogue } from './catalogue.ts'
import { memoryCipher } from './cipher.ts'
import { stoppedClock } from './clock.ts'
import { type MemoryChain, memoryChain, memoryRegistry } from './ledger.ts'

/** What each party of a world in memory starts with: 10,000 native tokens. */
export const startingBalance: Wei = wei(10n ** 22n)

/** Returns a fresh world in memory: the core over the fakes, for the four test wallets. */
export function memoryWorld(): World & CatalogueWorld {
  const clock = stoppedClock()
  const chain = memoryChain({ clock })
  const blobStore = memoryBlobStore()
  const parties = wallets.map((wallet) => partyOf(chain, wallet))
  for (const { ledger } of parties) chain.fund(ledger.agent, startingBalance)
  const world = {
    parties,
    pauper: partyOf(chain, pauperWallet),
    wait: async (milliseconds: number) => clock.advance(milliseconds),
    now: clock.now,
    sharedWallet: async (owners: readonly Party[]) =>
      chain.sharedWallet(owners.map(({ ledger }) => ledger.agent)),
    cardOf: async (tokenId: TokenId) => chain.cardOf(tokenId),
  }
  return {
    ...withServices(world, blobStore),
    catalogue: memoryCatalogue({ chain, cards: cardsIn(blobStore), seals: sealsIn(blobStore) }),
    caughtUp: async () => undefined,
    keepCard: blobStore.put,
    seal: (creator) => sealInto(blobStore, { registry: memoryRegistry, creator }),
  }
}

/** Returns how the cards in a store are found. */
function cardsIn(blobStore: BlobStore) {
  return async (digest: Digest) => {
    const block = await blobStore.get(digest).catch(() => undefined)
    return block && readCard(block)
  }
}

/** Returns how the heads of sealed bundles in a store are read. */
function sealsIn(blobStore: BlobStore) {
  const cipher = memoryCipher()
  return async (digest: Digest) => {
    const head = await blobStore.head(digest).catch(() => undefined)
    return head && cipher.inspect(head)
  }
}

async function sealInto(blobStore: BlobStore, context: SealContext) {
  const document = new TextEncoder().encode('{"data":{},"metadata":{"category":"test"}}')
  const { sealed, headLength, contentHash } = await memoryCipher({ random: randomBytes }).seal(
    document,
    context,
  )
  return { contentHash, digest: await blobStore.put(sealed, headLength) }
}

/** Gives each party of any chain a service over one store and one cipher in memory. */
export function withServices(
  world: LedgerWorld,
  blobStore: BlobStore = memoryBlobStore(),
  cipher: Cipher = memoryCipher(),
): World {
  const shared = { blobStore, cipher, clock: { now: world.now } }
  const services = world.parties.map(({ ledger }) => memoryService({ ...shared, ledger }))
  return { ...world, services }
}

function partyOf(chain: MemoryChain, wallet: PrivateKeyAccount): Party {
  const agent = account(wallet.address)
  return {
    ledger: chain.ledger(agent),
    sign: (message) => wallet.signMessage({ message }),
    transfer: (tokenId, to) => chain.transfer(agent, tokenId, to),
    balance: async () => chain.balance(agent),
  }
}
