import { join } from 'node:path'
import { embeddedContracts, existingContracts } from '@heirloom/adapters/contracts'
import type { LoadedKeys } from '@heirloom/adapters/keys'
import type { chainState } from '@heirloom/adapters/ledger'
import { mintedTokens } from '@heirloom/adapters/ledger/minted'
import { account, Failure } from '@heirloom/core'
import { createPublicClient, custom, http, type LocalAccount, type PublicClient } from 'viem'
import { longChain, longChainAdvice, refuseOtherPair } from '../../server/open-chain.ts'
import type { ChainSource, ContractAddresses } from '../../config/config.ts'
import { memoryFinding } from './check-memory-keys.ts'
import { type Finding, fail, found, ok, warn } from './finding.ts'
import { type Site, skipped } from './installation.ts'
import { chainFile, hasChain, neededChain } from '../../server/whole-folder.ts'

type Source = Parameters<typeof chainState>[0]

type View = {
  readonly site: Site
  readonly source: Source
  readonly client: PublicClient
  readonly wallet: LocalAccount | undefined
  readonly sealing: LoadedKeys | undefined
  /** Finds the contracts and compares their code with ours. */
  readonly pair: () => ReturnType<typeof existingContracts>
}

const parts = ['clock', 'contracts', 'memory-keys', 'wallet']

type ChainKeys = Pick<View, 'sealing' | 'wallet'>

/** Looks at the chain, the contracts on it and the wallet; sends nothing. */
export async function* chainFindings(
  site: Site,
  { wallet, sealing }: ChainKeys,
): AsyncGenerator<Finding> {
  const { chain, contracts } = site.config
  if (chain.kind === 'remote') {
    const { url } = chain
    const pair = () => remotePair(url, contracts)
    yield* lookedAt({ site, source: url, client: clientOf(url), wallet, sealing, pair })
  } else if (site.closed !== undefined) yield* allSkipped(site.closed)
  else if (!hasChain(site.folder)) yield* noChain(site)
  else if (wallet === undefined) yield* allSkipped('there is no agent key')
  else yield* embeddedFindings(site, { wallet, sealing })
}

function* allSkipped(why: string): Generator<Finding> {
  for (const name of ['chain', ...parts]) yield skipped(name, why)
}

function* noChain({ folder }: Site): Generator<Finding> {
  const needed = neededChain(folder)
  if (needed === undefined) {
    yield* allSkipped('there is no chain yet')
    return
  }
  const sentence = `${join(folder, chainFile)} is missing or holds nothing, and ${join(folder, needed)} needs it.`
  yield fail('chain', sentence, 'Restore the data folder from a backup.')
  for (const name of parts) yield skipped(name, 'there is no chain')
}

function remotePair(chain: URL, contracts: ContractAddresses | undefined) {
  if (contracts !== undefined) return existingContracts({ chain, ...contracts })
  throw new Failure('config/invalid', { name: 'MARKETPLACE_ADDRESS', problem: 'is not set' })
}

async function* embeddedFindings(
  site: Site,
  { wallet, sealing }: ChainKeys & { readonly wallet: LocalAccount },
): AsyncGenerator<Finding> {
  const { embeddedChain } = await import('@heirloom/adapters/chain')
  let chain: Awaited<ReturnType<typeof embeddedChain>> | undefined
  const opening = await found('chain', 'Restore the data folder from a backup.', async () => {
    const { folder, now } = site
    chain = await embeddedChain({ folder, now, funded: [wallet.address] })
    return ok('chain', 'The embedded chain replays to where it was.')
  })
  if (chain === undefined) {
    yield opening
    for (const name of parts) yield skipped(name, 'the chain does not open')
    return
  }
  const open = chain
  try {
    const pair = () => embeddedContracts({ chain: open, wallet })
    yield* lookedAt({ site, source: open, client: clientOf(open), wallet, sealing, pair })
  } finally {
    await open.close()
  }
}

function clientOf(source: Source): PublicClient {
  const transport =
    source instanceof URL
      ? http(source.href, { retryCount: 1, timeout: 10_000 })
      : custom(source, { retryCount: 0 })
  return createPublicClient({ transport, cacheTime: 0 })
}

type Head = { readonly chainId: number; readonly number: bigint; readonly timestamp: bigint }

async function* lookedAt(view: View): AsyncGenerator<Finding> {
  let head: Head | undefined
  yield await found('chain', 'Look at the node, and at RPC_URL.', async () => {
    head = await headOf(view.client)
    return lengthFinding(head, view.site.config.chain.kind)
  })
  if (head === undefined) {
    for (const name of parts) yield skipped(name, 'the chain does not answer')
    return
  }
  const seen = head
  yield* idFinding(view.site, seen)
  const age = Math.floor(view.site.now() / 1000 - Number(seen.timestamp))
  yield* timeFindings(age, view.site.config.chain.kind === 'remote')
  const addresses = 'Look at REGISTRY_ADDRESS and MARKETPLACE_ADDRESS.'
  const pair = await found('contracts', addresses, () => contracts(view, seen))
  yield pair
  yield pair.level === 'ok'
    ? await memories(view, seen)
    : skipped('memory-keys', 'the contracts are not found')
  yield await found('wallet', 'Look at the node.', () => funds(view))
}

async function headOf(client: PublicClient): Promise<Head> {
  try {
    const [chainId, head] = await Promise.all([client.getChainId(), client.getBlock()])
    return { chainId, number: head.number, timestamp: head.timestamp }
  } catch (cause) {
    throw new Failure('ledger/unavailable', { operation: 'eth_getBlockByNumber' }, { cause })
  }
}

/** Finds an embedded chain long that makes starts slow and takes much memory. */
export function lengthFinding(
  { chainId, number }: Pick<Head, 'chainId' | 'number'>,
  kind: ChainSource['kind'],
): Finding {
  const sentence = `Chain ${chainId} answers; its newest block is ${number}.`
  if (kind === 'remote' || number < longChain) return ok('chain', sentence)
  return warn('chain', sentence, longChainAdvice)
}

function* idFinding({ config }: Site, { chainId }: Head): Generator<Finding> {
  if (config.chain.kind === 'embedded' || config.chain.chainId === undefined) return
  const { chainId: expected } = config.chain
  if (chainId === expected) yield ok('chain-id', `The chain is ${expected}, as configured.`)
  else {
    const sentence = `CHAIN_ID is ${expected}, but the node at RPC_URL serves chain ${chainId}.`
    yield fail('chain-id', sentence, 'Correct CHAIN_ID or RPC_URL.')
  }
}

const tolerance = { age: 600, clock: 120 }

/** Says what the age of the newest block tells, in seconds, of a node and of this clock. */
export function* timeFindings(age: number, remote: boolean): Generator<Finding> {
  const { age: oldest, clock } = tolerance
  if (remote) {
    const sentence = `The newest block is ${age} seconds old.`
    const stale = warn('head', sentence, 'See whether the node follows its chain.')
    yield age > oldest ? stale : ok('head', sentence)
  }
  // Block time stands still on an idle embedded chain.
  const apart = remote ? Math.abs(age) : -age
  if (apart <= clock) yield ok('clock', 'The clock agrees with the newest block.')
  else {
    const sentence = `The newest block is dated ${apart} seconds ${age < 0 ? 'after' : 'before'} this clock.`
    yield warn('clock', sentence, `Set the clock: a proof is good for ${clock} seconds.`)
  }
}

async function contracts({ site, pair }: View, { number }: Head): Promise<Finding> {
  const { chain, contracts: configured } = site.config
  if (chain.kind === 'embedded' && number === 0n) {
    return ok('contracts', 'They are not deployed yet; the first start does it.')
  }
  const { registry, marketplace } = await pair()
  const here = { registry: account(registry), marketplace: account(marketplace) }
  refuseOtherPair(configured ?? here, here)
  return ok('contracts', `The pair is ${registry} and ${marketplace}, byte for byte ours.`)
}

async function memories({ site, source, sealing, pair }: View, { number }: Head): Promise<Finding> {
  const isNew = site.config.chain.kind === 'embedded' && number === 0n
  return memoryFinding(site, sealing, async function* (after) {
    if (!isNew) yield* mintedTokens({ chain: source, contracts: await pair(), after })
  })
}

const mints = 100n
const gasOfMint = 104_729n

async function funds({ client, wallet }: View): Promise<Finding> {
  if (wallet === undefined) return skipped('wallet', 'there is no agent key')
  const { address } = wallet
  const [balance, price] = await Promise.all([client.getBalance({ address }), client.getGasPrice()])
  const needed = mints * gasOfMint * price
  const sentence = `${address} holds ${balance} wei; ${mints} mints at the present gas price take ${needed}.`
  if (balance >= needed) return ok('wallet', sentence)
  return warn('wallet', sentence, `Send it ${needed - balance} wei more.`)
}
