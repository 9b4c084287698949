import { grantId } from '@heirloom/adapters/internal/acts'
import type { JobStore } from '@heirloom/adapters/job-store'
import {
  type Account,
  account,
  type BlobStore,
  type Cipher,
  type Digest,
  decodeCard,
  type Ledger,
  memoryService,
  type ProfileRequest,
  type TokenId,
  tokenId,
  wei,
} from '@heirloom/core'
import {
  type MemoryChain,
  memoryBlobStore,
  memoryCatalogue,
  memoryChain,
  memoryCipher,
  memoryGrants,
  memoryNames,
  memoryOpenings,
  memoryProfiles,
  memoryRatings,
  pauperWallet,
  stoppedClock,
  wallets,
} from '@heirloom/testkit'
import type { PrivateKeyAccount } from 'viem/accounts'
import { app } from '../src/server/app.ts'
import type { Browsing } from '../src/server/browsing-routes.ts'
import { integrityCheck } from '../src/server/health/integrity.ts'
import type { Granting } from '../src/server/operations/grants.ts'
import type { sealing } from '../src/server/seals/sealing.ts'
import { sealingOver } from './sealing-over.ts'

/** The wallet of the server under test, and two others. */
export const [agent, other, stranger] = wallets as unknown as readonly [
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
]

export const addressOf = (wallet: PrivateKeyAccount): Account => account(wallet.address)

export const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }

const everyone = [...wallets, pauperWallet].map(addressOf)

type Options = Partial<Omit<app.Parts, 'config' | 'wallet' | 'browsing' | 'granting'>> & {
  /** The store of seals and their parts; without it there is no `/api/memory/seal`. */
  readonly seals?: ({ readonly store: JobStore } & Partial<sealing.Parts>) | undefined
  /** Parts of the grants other than the usual ones. */
  readonly granting?: Partial<Granting>
  /** The limits of the event streams. */
  readonly streams?: Browsing['streams']
  readonly config?: Partial<app.Parts['config']>
  readonly wallet?: PrivateKeyAccount
  /** Reads the wallet state for `/api/wallet`; from the fake chain by default. */
  readonly readWallet?: app.Parts['wallet']
  /** Another server, of the same time, chain, blobs and keys. */
  readonly beside?: ReturnType<typeof openShared>
  /** Wraps the ledger of the service. */
  readonly ledgerThrough?: (ledger: Ledger) => Ledger
  /** The bounds of profiles; two of a client by default. */
  readonly profileBounds?: ProfileRequest['bounds']
  readonly storeThrough?: (blobStore: BlobStore) => BlobStore
  readonly cipherThrough?: (cipher: Cipher) => Cipher
}

const same = <part>(it: part) => it

/** Opens what servers share: the time, a chain with funded accounts, blobs and keys. */
function openShared() {
  const clock = stoppedClock()
  const chain = memoryChain({ clock })
  for (const holder of everyone.slice(0, -1)) chain.fund(holder, wei(10n ** 22n))
  return { clock, chain, cipher: memoryCipher(), ...countBlobs(memoryBlobStore()) }
}

/** Opens a server over fakes, with a view of everything that a request could change. */
export function openHarness(options: Options = {}) {
  const { config, wallet = agent, readWallet, streams, seals, granting, ...more } = options
  const { ledgerThrough = same, storeThrough = same, cipherThrough = same } = more
  const { beside, profileBounds = { ofClient: 2, inAll: 40 }, ...parts } = more
  const names = options.names ?? memoryNames()
  const openings = memoryOpenings()
  const shared = beside ?? openShared()
  const { clock, chain, cipher, blobStore, blobCount } = shared
  const ledger = chain.ledger(addressOf(wallet))
  const reached = ledgerThrough(ledger)
  const service = memoryService({
    blobStore: storeThrough(blobStore),
    cipher: cipherThrough(cipher),
    clock,
    ledger: reached,
    names,
    openings,
  })
  const cards = async (name: Digest) => decodeCard(await blobStore.get(name))
  const catalogue = memoryCatalogue({ chain, cards })
  const get = storeThrough(blobStore).get
  const server = app({
    service,
    names,
    operator: { startedAt: 0, readTenants: async () => [], failures: () => [] },
    openings: { ledger, clock, openings },
    granting: {
      ledger: reached,
      clock,
      grants: memoryGrants(),
      idOf: (grant) => grantId(grant, registryOf(deployment)),
      bounds: { ofOwner: 3, ofClient: 20, inAll: 40 },
      ...granting,
    },
    rating: { ledger, clock, ratings: memoryRatings(), catchUp: async () => undefined },
    profiling: {
      ledger: ledgerThrough(ledger),
      clock,
      profiles: memoryProfiles(),
      bounds: profileBounds,
      catchUp: async () => undefined,
    },
    browsing: {
      catalogue,
      clock,
      streams,
      integrity: integrityCheck({ ...service, stored: { get }, now: clock.now }),
    },
    config: { host: '127.0.0.1', apiKeys: [], bodyLimit: 1 << 20, ...config },
    deployment,
    sealing:
      seals &&
      sealingOver(seals.store, {
        service,
        clock,
        blobStore: { ...blobStore, claim: async () => undefined },
        registry: { chainId: deployment.chainId, address: deployment.registry },
        ...seals,
      }),
    readiness: { chain: async () => undefined, storage: async () => undefined },
    wallet: readWallet ?? walletOn(chain, addressOf(wallet)),
    ...parts,
  })
  return {
    ...shared,
    server,
    catalogue,
    state: stateOf(ledger, chain.balance, blobCount),
  }
}

const walletOn = (chain: MemoryChain, address: Account) => async () => ({
  address,
  balance: wei(chain.balance(address)),
  spentToday: wei(0n),
  maxSpendPerCall: wei(10n ** 18n),
  maxSpendPerDay: undefined,
})

export type ServerHarness = ReturnType<typeof openHarness>

/** Returns the time of a server's clock, in seconds since the Unix epoch. */
export const secondsOf = ({ clock }: Pick<ServerHarness, 'clock'>): number =>
  Math.floor(Number(clock.now()) / 1000)

export const deployment = {
  chainId: 31337,
  registry: account('0x5FbDB2315678afecb367f032d93F642f64180aa3'),
  marketplace: account('0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'),
  agent: addressOf(agent),
  forwarder: account('0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'),
  depositCode: account('0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9'),
}

const registryOf = ({ chainId, registry }: typeof deployment) => ({ chainId, address: registry })

function countBlobs(blobStore: BlobStore) {
  const stored = new Set<Digest>()
  return {
    blobCount: () => stored.size,
    blobStore: {
      ...blobStore,
      put: async (bytes: Uint8Array, headLength?: number) => {
        const name = await blobStore.put(bytes, headLength)
        stored.add(name)
        return name
      },
      remove: async (name: Digest) => {
        await blobStore.remove(name)
        stored.delete(name)
      },
    },
  }
}

/** Returns a function that reads every token, listing, rental and balance, and the number of blobs. */
function stateOf(ledger: Ledger, balance: (holder: Account) => bigint, blobCount: () => number) {
  return async () => {
    const tokens: object[] = []
    for (let id = 1n; ; id++) {
      const state = await readToken(ledger, tokenId(id))
      if (state === undefined) break
      tokens.push(state)
    }
    return { tokens, balances: everyone.map(balance), blobs: blobCount() }
  }
}

async function readToken(ledger: Ledger, id: TokenId): Promise<object | undefined> {
  const record = await ledger.provenance(id)
  if (record === undefined) return undefined
  const access = await Promise.all(everyone.map((it) => ledger.access(id, it)))
  return { record, listing: await ledger.listing(id), access }
}

/** Sends a POST with a JSON body, or with none. */
export function post(
  { server }: Pick<ServerHarness, 'server'>,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  if (body === undefined) return server.inject({ method: 'POST', url, headers })
  const typed = { 'content-type': 'application/json', ...headers }
  const payload = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)
  return server.inject({ method: 'POST', url, headers: typed, payload })
}

/** Mints a token, for the agent by default, and returns its id. */
export async function mintToken(harness: ServerHarness, more: object = {}): Promise<string> {
  return (await post(harness, '/api/memory/snapshot', { ...memory, ...more })).json().tokenId
}

export const freeTerms = {
  price: '0',
  rentalPricePerDay: '0',
  forkPrice: '0',
  forkRoyaltyBps: 0,
}

/** Mints a token and lists it. */
export async function listToken(harness: ServerHarness, terms: object): Promise<string> {
  const id = await mintToken(harness)
  await post(harness, '/api/marketplace/list', { tokenId: id, ...freeTerms, ...terms })
  return id
}

/** Lists a token, and rents it for a day to another account. */
export async function rentToken(harness: ServerHarness): Promise<string> {
  const id = await listToken(harness, { rentalPricePerDay: '7' })
  const recipient = addressOf(other)
  const ledger = harness.chain.ledger(recipient)
  await ledger.rent({ tokenId: tokenId(id), days: 1, price: wei(7n), recipient })
  return id
}

/** Returns the headers that prove a wallet for a token at a time in seconds. */
export async function proofOf(wallet: PrivateKeyAccount, id: string, seconds: number) {
  const message = `service:access:${id}:${wallet.address}:${seconds}`
  return {
    'x-wallet-address': wallet.address,
    'x-wallet-signature': await wallet.signMessage({ message }),
    'x-wallet-timestamp': `${seconds}`,
  }
}
