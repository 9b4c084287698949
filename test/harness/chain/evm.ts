import { readHeirPlan } from '@heirloom/adapters/internal/acts'
import { sqlNames } from '@heirloom/adapters/internal/names'
import { type JobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import { viemLedger } from '@heirloom/adapters/ledger'
import {
  account,
  type Clock,
  digest,
  type Erasures,
  type Instant,
  memoryService,
  type Ports,
  type TokenId,
  wei,
  withoutErased,
} from '@heirloom/core'
import {
  erasingOver,
  memoryErasures,
  type Party,
  pauperWallet,
  type ServiceHarness,
  wallets,
} from '@heirloom/testkit'
import {
  encodeFunctionData,
  getAbiItem,
  type Hex,
  type LocalAccount,
  type PublicClient,
} from 'viem'
import { type Chain, connect } from '../../../packages/adapters/src/ledger/connection.ts'
import type { DeployedPair } from '../../../packages/adapters/src/ledger/contract-pair.ts'
import { memoryRegistryAbi } from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import { sendOnce } from '../../../packages/adapters/src/ledger/send-once.ts'
import { sharedWallet } from './contract-wallets.ts'
import { depositActs, readOrderRecord } from './deposit-acts.ts'
import { heirActs } from './heir-acts.ts'
import { dollarsOf, handOutDollars, payOrder, requireDollar } from './order-payment.ts'

/** A harness that holds processes, files or a chain until it is closed. */
export type OpenHarness = EvmHarness & { readonly close: () => Promise<void> }

/** A harness on an EVM chain with our contracts. */
export type EvmHarness = ServiceHarness &
  Pick<Parts, 'chain' | 'contracts'> & {
    /** The stores of the services, and the list of what was erased there. */
    readonly stored: Parts['ports'] & { readonly erasures: Erasures }
  }

type Parts = {
  readonly chain: Chain | URL
  readonly contracts: DeployedPair
  readonly clock: Clock
  readonly wait: (milliseconds: number) => Promise<void>
  readonly now: () => Instant
  readonly ports: Pick<Ports, 'blobStore' | 'cipher'>
}

/** Gives each test wallet its first dollars. */
export async function endowWallets(chain: Chain | URL, contracts: DeployedPair): Promise<void> {
  const inDollars = { ...contracts, dollar: requireDollar(contracts) }
  const addresses = wallets.map(({ address }) => address)
  await handOutDollars({ client: connect(chain), contracts: inDollars }, wallets[0], addresses)
}

/** Returns a harness of the test wallets on an EVM chain with our contracts, where they have dollars. */
export async function evmHarness(parts: Parts): Promise<EvmHarness> {
  const { chain, clock, contracts, now, ports, wait } = parts
  const client = connect(parts.chain)
  const dollar = requireDollar(contracts)
  const feesOf = feeReader(client)
  const store = await sqliteJobStore(':memory:')
  const party = (wallet: LocalAccount) => partyOf({ ...parts, store }, wallet, feesOf)
  const parties = await Promise.all(wallets.map(party))
  const erasures = memoryErasures()
  const guarded = { ...ports, blobStore: withoutErased(ports.blobStore, erasures) }
  const names = sqlNames(store, {
    registry: { chainId: 31337, address: account(contracts.registry) },
    // Only a mint whose job is gone is looked for, and these jobs stay.
    findMinted: async () => undefined,
  })
  const harness: Omit<EvmHarness, 'erase' | 'stored'> = {
    parties,
    names,
    dollar,
    pauper: await party(pauperWallet),
    services: parties.map(({ ledger }) => memoryService({ ...guarded, clock, ledger, names })),
    wait,
    now,
    cardOf: (tokenId) => cardOf(parts, tokenId),
    orderRecord: (order) => readOrderRecord({ client, contracts: { ...contracts, dollar } }, order),
    heirPlan: async (of) => (await readHeirPlan(client, contracts, of)).plan,
    sharedWallet: (owners) =>
      sharedWallet(
        parts.chain,
        owners.map(({ ledger }) => ledger.agent),
      ),
    chain,
    contracts,
  }
  const stored = { ...guarded, erasures }
  return { ...harness, stored, erase: erasingOver(harness, stored) }
}

const event = getAbiItem({ abi: memoryRegistryAbi, name: 'Described' })

async function cardOf({ chain, contracts }: Parts, tokenId: TokenId) {
  const ofToken = { address: contracts.registry, event, args: { tokenId } }
  const [log, ...others] = await connect(chain).getLogs({ ...ofToken, fromBlock: 0n, strict: true })
  if (others.length > 0) throw new Error(`Token ${tokenId} has more than one card.`)
  return log && digest(log.args.card)
}

type FeesOf = (wallet: Hex) => Promise<bigint>

async function partyOf(
  { chain, clock, contracts, store }: Parts & { readonly store: JobStore },
  wallet: LocalAccount,
  feesOf: FeesOf,
): Promise<Party> {
  const client = connect(chain)
  const inDollars = { client, contracts: { ...contracts, dollar: requireDollar(contracts) } }
  return {
    ledger: await viemLedger({ chain, wallet, contracts, store, now: clock.now }),
    sign: (message) => wallet.signMessage({ message }),
    transfer: async (tokenId, to) => {
      const args = [wallet.address, to, tokenId] as const
      const data = encodeFunctionData({
        abi: memoryRegistryAbi,
        functionName: 'transferFrom',
        args,
      })
      const call = { operation: 'transferFrom', to: contracts.registry, data }
      await sendOnce({ client, wallet }, call)
    },
    balance: async () => {
      const fees = await feesOf(wallet.address)
      return wei((await client.getBalance({ address: wallet.address })) + fees)
    },
    dollars: () => dollarsOf(inDollars, wallet.address),
    payOrder: (order) => payOrder(inDollars, wallet, order),
    deposits: depositActs(inDollars, wallet),
    heirs: heirActs({ client, contracts }, wallet),
  }
}

/** Returns a function that sums the gas fees of a wallet over all receipts so far. */
function feeReader(client: PublicClient): FeesOf {
  const fees = new Map<string, bigint>()
  let lastBlock = 0n
  const readBlock = async (blockNumber: bigint) => {
    const { transactions } = await client.getBlock({ blockNumber })
    for (const hash of transactions) {
      const receipt = await client.getTransactionReceipt({ hash })
      const paid = receipt.gasUsed * receipt.effectiveGasPrice
      fees.set(receipt.from, (fees.get(receipt.from) ?? 0n) + paid)
    }
  }
  const readNewBlocks = async () => {
    const head = await client.getBlockNumber({ cacheTime: 0 })
    for (; lastBlock < head; lastBlock++) await readBlock(lastBlock + 1n)
  }
  let reading = Promise.resolve()
  return async (wallet) => {
    // Concurrent readers would count the same blocks twice.
    reading = reading.then(readNewBlocks)
    await reading
    return fees.get(wallet.toLowerCase()) ?? 0n
  }
}
