import { deployContracts } from '@heirloom/adapters/contracts'
import { type ViemLedger, viemLedger } from '@heirloom/adapters/ledger'
import { type Store, sqliteStore } from '@heirloom/adapters/store'
import { digest, type Hash, hash, isFailure } from '@heirloom/core'
import {
  createPublicClient,
  type Hex,
  http,
  keccak256,
  type LocalAccount,
  type PublicClient,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { memoryRegistryAbi } from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import type { LaneEvent } from '../../../packages/adapters/src/ledger/nonce-lane/lane-context.ts'
import { type Anvil, testClient } from '../chain/anvil.ts'

/** A wallet and a contract pair of its own on an anvil, and ledgers that write through them. */
export type LaneStage = {
  readonly wallet: LocalAccount
  readonly marketplace: Hex
  readonly client: PublicClient
  readonly anvil: Anvil
  /** What the lane told, in the order of its telling. */
  readonly events: LaneEvent[]
  readonly store: Store
  /** Opens the ledger over the stage's store; the stage closes it. */
  open(options?: Partial<viemLedger.Options>): Promise<ViemLedger>
  /** The content hashes of all tokens, in the order of their minting. */
  minted(): Promise<readonly string[]>
  /** What the wallet has paid since the deployment, in wei. */
  paid(): Promise<bigint>
  close(): Promise<void>
}

/** Sets a stage on an anvil. */
export async function laneStage(anvil: Anvil): Promise<LaneStage> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const { address } = wallet
  await testClient(anvil).setBalance({ address, value: 10n ** 21n })
  const contracts = await deployContracts({ chain: anvil.url, wallet })
  const { registry, marketplace } = contracts
  const client = createPublicClient({ transport: http(anvil.url.href), cacheTime: 0 })
  const before = await client.getBalance({ address })
  const store = await sqliteStore(':memory:')
  const events: LaneEvent[] = []
  const ledgers: ViemLedger[] = []
  return {
    ...{ wallet, marketplace, client, anvil, events, store },
    open: async (options) => {
      const observe = (event: LaneEvent) => void events.push(event)
      const quick = { resendAfter: 100, patience: 60_000, observe }
      const it = { chain: anvil.url, wallet, contracts, store, ...quick, ...options }
      const ledger = await viemLedger(it)
      ledgers.push(ledger)
      return ledger
    },
    minted: () => mintedIn(client, registry),
    paid: async () => before - (await client.getBalance({ address })),
    close: async () => {
      for (const ledger of ledgers) await ledger.close()
      await store.close()
    },
  }
}

async function mintedIn(client: PublicClient, address: Hex): Promise<readonly string[]> {
  const registry = { address, abi: memoryRegistryAbi } as const
  const supply = await client.readContract({ ...registry, functionName: 'totalSupply' })
  const hashes: string[] = []
  for (let id = 1n; id <= supply; id++) {
    const call = { ...registry, functionName: 'recordOf', args: [id] } as const
    hashes.push((await client.readContract(call))[4])
  }
  return hashes
}

/** Returns a content hash that stands for a name. */
export const content = (name: string | number): Hash => hash(keccak256(toHex(String(name))))

/** Mints a token of a name, under a key when there is one. */
export function mint(ledger: ViemLedger, name: string | number, key?: string) {
  const contentHash = content(name)
  return ledger.mint({
    ...{ contentHash, digest: digest(contentHash), parent: undefined, recipient: ledger.agent },
    idempotency: key === undefined ? undefined : { key, fingerprint: key },
  })
}

/** Returns what a write gave, or the code of its failure. */
export async function outcomeOf<T>(write: Promise<T>): Promise<T | string> {
  return write.catch((error: unknown) => (isFailure(error) ? error.code : String(error)))
}

/** Resolves once `holds` does, looking whenever a block could have come. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}
