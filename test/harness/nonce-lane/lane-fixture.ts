import { deployContracts } from '@heirloom/adapters/contracts'
import { type JobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import { type ViemLedger, viemLedger } from '@heirloom/adapters/ledger'
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
import type { DeployedPair } from '../../../packages/adapters/src/ledger/contract-pair.ts'
import { memoryRegistryAbi } from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import type { LaneEvent } from '../../../packages/adapters/src/ledger/nonce-lane/lane-event.ts'
import { type Anvil, testClient } from '../chain/anvil.ts'

/** A new wallet and contract pair on an anvil, and ledgers that write through them. */
export type LaneFixture = {
  readonly wallet: LocalAccount
  readonly contracts: DeployedPair
  readonly marketplace: Hex
  readonly client: PublicClient
  readonly anvil: Anvil
  /** The events of the lane, in their order. */
  readonly events: LaneEvent[]
  readonly store: JobStore
  /** Opens a ledger on the fixture's store; the fixture closes it. */
  open(options?: Partial<viemLedger.Options>): Promise<ViemLedger>
  /** Returns the content hashes of all tokens, in the order of their mints. */
  mintedHashes(): Promise<readonly string[]>
  /** Returns the amount that the wallet has paid since the deployment, in wei. */
  amountPaid(): Promise<bigint>
  close(): Promise<void>
}

/** Opens a fixture on an anvil. */
export async function openLaneFixture(anvil: Anvil): Promise<LaneFixture> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const { address } = wallet
  await testClient(anvil).setBalance({ address, value: 10n ** 21n })
  const contracts = await deployContracts({ chain: anvil.url, wallet })
  const { registry, marketplace } = contracts
  const client = createPublicClient({ transport: http(anvil.url.href), cacheTime: 0 })
  const before = await client.getBalance({ address })
  const store = await sqliteJobStore(':memory:')
  const events: LaneEvent[] = []
  const ledgers: ViemLedger[] = []
  return {
    wallet,
    contracts,
    marketplace,
    client,
    anvil,
    events,
    store,
    open: async (options) => {
      const observe = (event: LaneEvent) => void events.push(event)
      const parts = { chain: anvil.url, wallet, contracts, store, observe }
      const times = { resendAfter: 100, callerTimeout: 60_000 }
      const ledger = await viemLedger({ ...parts, ...times, ...options })
      ledgers.push(ledger)
      return ledger
    },
    mintedHashes: () => readMinted(client, registry),
    amountPaid: async () => before - (await client.getBalance({ address })),
    close: async () => {
      for (const ledger of ledgers) await ledger.close()
      await store.close()
    },
  }
}

async function readMinted(client: PublicClient, address: Hex): Promise<readonly string[]> {
  const registry = { address, abi: memoryRegistryAbi } as const
  const supply = await client.readContract({ ...registry, functionName: 'totalSupply' })
  const hashes: string[] = []
  for (let id = 1n; id <= supply; id++) {
    const call = { ...registry, functionName: 'recordOf', args: [id] } as const
    hashes.push((await client.readContract(call))[4])
  }
  return hashes
}

/** Returns the content hash for a name. */
export const content = (name: string | number): Hash => hash(keccak256(toHex(String(name))))

/** Mints a token for a name, with an idempotency key if there is one. */
export function mint(ledger: ViemLedger, name: string | number, key?: string) {
  const contentHash = content(name)
  return ledger.mint({
    contentHash,
    digest: digest(contentHash),
    parent: undefined,
    recipient: ledger.agent,
    idempotency: key === undefined ? undefined : { key, fingerprint: key },
  })
}

/** Returns the result of a write, or the code of its failure. */
export async function outcomeOf<T>(write: Promise<T>): Promise<T | string> {
  return write.catch((error: unknown) => (isFailure(error) ? error.code : String(error)))
}

/** Resolves once `condition` returns true; checks it every 20 ms. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}
