import { randomBytes } from 'node:crypto'
import {
  type Account,
  account,
  type BlobStore,
  type Cipher,
  type Dollars,
  dollars,
  memoryService,
  type Order,
  type SealContext,
  type TokenId,
  type Wei,
  wei,
  withoutErased,
} from '@heirloom/core'
import type { PrivateKeyAccount } from 'viem/accounts'
import {
  type CatalogueHarness,
  type LedgerHarness,
  type Party,
  pauperWallet,
  type SealChoices,
  type ServiceHarness,
  wallets,
} from '../harness.ts'
import { blobLookups } from './blob-storage.ts'
import { memoryBlobStore } from './blob-store.ts'
import { memoryCatalogue } from './catalogue/catalogue.ts'
import { memoryDollar } from './chain-state.ts'
import { memoryCipher } from './cipher.ts'
import { stoppedClock } from './clock.ts'
import { erasingOver, memoryErasures } from './erasing.ts'
import { rememberSigned } from './is-signed.ts'
import { type MemoryChain, memoryChain, memoryRegistry } from './ledger.ts'
import { memoryNames } from './names.ts'

/** The initial balance of each party in memory: 10,000 native tokens. */
export const startingBalance: Wei = wei(10n ** 22n)

/** The initial dollars of each party in memory: 10 ** 12. */
export const startingDollars: Dollars = dollars(10n ** 18n)

/** Creates a harness in memory: the core over the fakes, for the four test wallets. */
export function memoryHarness(): ServiceHarness & CatalogueHarness {
  const clock = stoppedClock()
  const chain = memoryChain({ clock })
  const { blobStore, cards, seals } = blobLookups(memoryBlobStore())
  const parties = wallets.map((wallet) => partyOf(chain, wallet))
  for (const { ledger } of parties) {
    chain.fund(ledger.agent, startingBalance)
    chain.fundDollars(ledger.agent, startingDollars)
  }
  const harness = {
    parties,
    dollar: memoryDollar,
    pauper: partyOf(chain, pauperWallet),
    wait: async (milliseconds: number) => clock.advance(milliseconds),
    now: clock.now,
    sharedWallet: async (owners: readonly Party[]) =>
      chain.sharedWallet(owners.map(({ ledger }) => ledger.agent)),
    cardOf: async (tokenId: TokenId) => chain.cardOf(tokenId),
    heirPlan: async (of: Account) => chain.heirPlan(of),
    orderRecord: async (order: Order) => chain.orderRecord(order),
  }
  return {
    ...withServices(harness, blobStore),
    catalogue: memoryCatalogue({ chain, cards, seals }),
    caughtUp: async () => undefined,
    keepCard: blobStore.put,
    seal: (creator, choices) =>
      sealAndStore(blobStore, { registry: memoryRegistry, creator }, choices),
  }
}

async function sealAndStore(
  blobStore: BlobStore,
  context: SealContext,
  { excerpts = [], isForeign = false }: SealChoices = {},
) {
  const document = new TextEncoder().encode(
    '{"data":{},"metadata":{"category":"test","importedFrom":{"format":"letta-af"}}}',
  )
  const { sealed, headLength, contentHash } = await memoryCipher({ random: randomBytes }).seal(
    document,
    context,
    { blobs: blobStore, excerpts },
  )
  // Another key makes another tag, which is the end of the head.
  if (isForeign) sealed[headLength - 1] = (sealed[headLength - 1] ?? 0) ^ 1
  return { contentHash, digest: await blobStore.put(sealed, headLength) }
}

/** Adds a service for each party to a harness, all over one blob store and one cipher. */
export function withServices(
  harness: LedgerHarness,
  blobStore: BlobStore = memoryBlobStore(),
  cipher: Cipher = memoryCipher(),
): ServiceHarness {
  const erasures = memoryErasures()
  const guarded = withoutErased(blobStore, erasures)
  const shared = { blobStore: guarded, cipher, clock: { now: harness.now } }
  const names = memoryNames()
  const services = harness.parties.map(({ ledger }) => memoryService({ ...shared, ledger, names }))
  return { ...harness, services, names, erase: erasingOver(harness, { ...shared, erasures }) }
}

function partyOf(chain: MemoryChain, wallet: PrivateKeyAccount): Party {
  const agent = account(wallet.address)
  return {
    ledger: chain.ledger(agent),
    sign: async (message) => {
      const signature = await wallet.signMessage({ message })
      rememberSigned({ account: agent, message, signature })
      return signature
    },
    transfer: (tokenId, to) => chain.transfer(agent, tokenId, to),
    balance: async () => chain.balance(agent),
    dollars: async () => chain.dollars(agent),
    payOrder: (order) => chain.payOrder(agent, order),
    deposits: chain.deposits(agent),
    heirs: chain.heirs(agent),
  }
}
