import { join } from 'node:path'
import type { EmbeddedChain } from '@heirloom/adapters/chain'
import { embeddedContracts, existingContracts } from '@heirloom/adapters/contracts'
import { mintedTokens } from '@heirloom/adapters/internal/minted-tokens'
import { type NodePool, nodePool } from '@heirloom/adapters/internal/nodes'
import type { LoadedKeys } from '@heirloom/adapters/keys'
import type { chainState } from '@heirloom/adapters/ledger'
import { account, Failure } from '@heirloom/core'
import { createPublicClient, custom, type LocalAccount, type PublicClient } from 'viem'
import type { ChainSource, ContractAddresses } from '../../../config/config.ts'
import type { AgentWallet } from '../../../server/keys/agent-wallet.ts'
import type { MintedAfter } from '../../../server/keys/key-census.ts'
import { longChainAdvice, longChainBlocks, refuseOtherPair } from '../../../server/open-chain.ts'
import { chainFile, hasChain, partNeedingChain } from '../../../server/whole-folder.ts'
import { checkChainJobs, checkNodes } from './check-chain-jobs.ts'
import { checkMemories, checkMemoryKeys } from './check-memories.ts'
import { type Finding, fail, keepData, ok, runCheck, warn } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

type Source = Parameters<typeof chainState>[0]

type OpenChain = {
  readonly installation: Installation
  readonly source: Source
  readonly client: PublicClient
  readonly wallet: LocalAccount | undefined
  readonly sealing: LoadedKeys | undefined
  /** Finds the contracts, and verifies that their code is ours. */
  readonly findPair: () => ReturnType<typeof existingContracts>
}

const parts = ['clock', 'contracts', 'memory-keys', 'memories', 'wallet', 'chain-jobs']

type ChainKeys = Pick<OpenChain, 'sealing'> & { readonly agent: AgentWallet | undefined }

/** Checks the chain, its contracts and the wallet. Sends nothing. */
export async function* checkChain(
  installation: Installation,
  { agent, sealing }: ChainKeys,
): AsyncGenerator<Finding> {
  const { chain, contracts } = installation.config
  const wallet = agent?.wallet
  if (chain.kind === 'remote') {
    const nodes = nodePool(chain.urls)
    const findPair = () => findRemotePair(nodes, contracts)
    const client = clientOf(nodes)
    yield* checkNodes(nodes)
    yield* checkOpenChain({ installation, source: nodes, client, wallet, sealing, findPair })
    nodes.close()
  } else if (installation.unavailable !== undefined) yield* skipAll(installation.unavailable)
  else if (!hasChain(installation.folder)) yield* reportMissingChain(installation)
  else if (wallet === undefined) yield* skipAll('there is no agent key')
  else yield* checkEmbeddedChain(installation, { wallet, sealing })
}

function* skipAll(reason: string): Generator<Finding> {
  for (const name of ['chain', ...parts]) yield skipped(name, reason)
}

function* reportMissingChain({ folder }: Installation): Generator<Finding> {
  const needed = partNeedingChain(folder)
  if (needed === undefined) {
    yield* skipAll('there is no chain yet')
    return
  }
  const sentence = `${join(folder, chainFile)} is missing or empty, and ${join(folder, needed)} needs it.`
  const advice =
    'If the chain is elsewhere, set RPC_URL as before; else restore the data folder from a backup.'
  yield fail('chain', sentence, advice)
  for (const name of parts) yield skipped(name, 'there is no chain')
}

function findRemotePair(chain: NodePool, contracts: ContractAddresses | undefined) {
  if (contracts !== undefined) return existingContracts({ chain, ...contracts })
  throw new Failure('config/invalid', { name: 'MARKETPLACE_ADDRESS', problem: 'is not set' })
}

async function* checkEmbeddedChain(
  installation: Installation,
  { wallet, sealing }: Pick<OpenChain, 'sealing'> & { readonly wallet: LocalAccount },
): AsyncGenerator<Finding> {
  const { embeddedChain } = await import('@heirloom/adapters/chain')
  let chain: Awaited<ReturnType<typeof embeddedChain>> | undefined
  const opening = await runCheck('chain', keepData, async () => {
    const { folder, now } = installation
    chain = await embeddedChain({ folder, now, funded: [wallet.address] })
    return ok('chain', 'The embedded chain replays to its recorded state.')
  })
  if (chain === undefined) {
    yield opening
    for (const name of parts) yield skipped(name, 'the chain cannot be opened')
    return
  }
  const open = chain
  try {
    const findPair = () => embeddedContracts({ chain: open, wallet })
    const client = clientOf(open)
    yield* checkOpenChain({ installation, source: open, client, wallet, sealing, findPair })
  } finally {
    await open.close()
  }
}

function clientOf(source: EmbeddedChain | NodePool): PublicClient {
  return createPublicClient({
    transport: custom(source, { retryCount: 0 }),
    cacheTime: 0,
    ccipRead: false,
  })
}

type Head = { readonly chainId: number; readonly number: bigint; readonly timestamp: bigint }

async function* checkOpenChain(chain: OpenChain): AsyncGenerator<Finding> {
  let head: Head | undefined
  yield await runCheck('chain', 'Check the node and RPC_URL.', async () => {
    head = await readHead(chain.client)
    return checkChainLength(head, chain.installation.config.chain.kind)
  })
  if (head === undefined) {
    for (const name of parts) yield skipped(name, 'the chain does not answer')
    return
  }
  const newest = head
  yield* checkChainId(chain.installation, newest)
  const age = Math.floor(chain.installation.now() / 1000 - Number(newest.timestamp))
  yield* checkBlockTime(age, chain.installation.config.chain.kind === 'remote')
  const advice = 'Check REGISTRY_ADDRESS and MARKETPLACE_ADDRESS.'
  const contracts = await runCheck('contracts', advice, () => checkContracts(chain, newest))
  yield contracts
  if (contracts.level === 'ok') yield* checkMinted(chain, newest)
  else for (const name of mintedParts) yield skipped(name, 'the contracts were not found')
  yield await runCheck('wallet', 'Check the node.', () => checkFunds(chain))
  yield await runCheck('chain-jobs', 'Check DATABASE_URL.', () => checkChainJobs(chain))
}

async function readHead(client: PublicClient): Promise<Head> {
  try {
    const [chainId, head] = await Promise.all([client.getChainId(), client.getBlock()])
    return { chainId, number: head.number, timestamp: head.timestamp }
  } catch (cause) {
    throw new Failure('ledger/unavailable', { operation: 'eth_getBlockByNumber' }, { cause })
  }
}

/** Warns of an embedded chain so long that starts are slow and take much memory. */
export function checkChainLength(
  { chainId, number }: Pick<Head, 'chainId' | 'number'>,
  kind: ChainSource['kind'],
): Finding {
  const sentence = `Chain ${chainId} answers; its newest block is ${number}.`
  if (kind === 'remote' || number < longChainBlocks) return ok('chain', sentence)
  return warn('chain', sentence, longChainAdvice())
}

function* checkChainId({ config }: Installation, { chainId }: Head): Generator<Finding> {
  if (config.chain.kind === 'embedded' || config.chain.chainId === undefined) return
  const { chainId: expected } = config.chain
  if (chainId === expected) yield ok('chain-id', `The chain is ${expected}, as configured.`)
  else {
    const sentence = `CHAIN_ID is ${expected}, but the node at RPC_URL serves chain ${chainId}.`
    yield fail('chain-id', sentence, 'Correct CHAIN_ID or RPC_URL.')
  }
}

/** In seconds. */
const tolerance = { age: 600, clock: 120 }

/** Checks the node and the clock of this machine by the age of the newest block, in seconds. */
export function* checkBlockTime(age: number, isRemote: boolean): Generator<Finding> {
  const { age: longestAge, clock } = tolerance
  if (isRemote) {
    const sentence = `The age of the newest block is ${age} s.`
    const stale = warn('head', sentence, 'Check that the node is in sync.')
    yield age > longestAge ? stale : ok('head', sentence)
  }
  // An idle embedded chain makes no blocks, so only a block from the future is wrong there.
  const difference = isRemote ? Math.abs(age) : -age
  if (difference <= clock) yield ok('clock', 'The clock agrees with the newest block.')
  else {
    const sentence = `The newest block is dated ${difference} seconds ${age < 0 ? 'after' : 'before'} this clock.`
    yield warn('clock', sentence, `Set the clock: a signed proof is valid for ${clock} seconds.`)
  }
}

async function checkContracts(
  { installation, findPair }: OpenChain,
  { number }: Head,
): Promise<Finding> {
  const { chain, contracts: configured } = installation.config
  if (chain.kind === 'embedded' && number === 0n) {
    return ok('contracts', 'They are not deployed yet; the first start of a server deploys them.')
  }
  const pair = await findPair()
  const { registry, marketplace } = pair
  const here = { registry: account(registry), marketplace: account(marketplace) }
  refuseOtherPair(configured ?? here, here)
  return ok(
    'contracts',
    `The code of ${registry} and ${marketplace} is ours, with that of the forwarder ${pair.forwarder}; ${pair.dollar === undefined ? 'they have no dollar' : `their dollar is ${pair.dollar}`}.`,
  )
}

const mintedParts = ['memory-keys', 'memories']

async function* checkMinted(
  { installation, source, sealing, wallet, findPair }: OpenChain,
  { number }: Head,
): AsyncGenerator<Finding> {
  const isNew = installation.config.chain.kind === 'embedded' && number === 0n
  const minted: MintedAfter = async function* (after) {
    if (!isNew) yield* mintedTokens({ chain: source, contracts: await findPair(), after })
  }
  yield await checkMemoryKeys(installation, sealing, minted)
  yield await checkMemories(installation, wallet?.address, minted)
}

/** The number of mints that the wallet should be able to pay. */
const mints = 100n
const gasOfMint = 104_729n

async function checkFunds({ client, wallet }: OpenChain): Promise<Finding> {
  if (wallet === undefined) return skipped('wallet', 'there is no agent key')
  const { address } = wallet
  const [balance, price] = await Promise.all([client.getBalance({ address }), client.getGasPrice()])
  const needed = mints * gasOfMint * price
  const sentence = `${address} holds ${balance} wei; ${mints} mints at the current gas price cost ${needed}.`
  if (balance >= needed) return ok('wallet', sentence)
  return warn('wallet', sentence, `Send it ${needed - balance} wei more.`)
}
