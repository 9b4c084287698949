import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { EdrContext, Provider, ProviderConfig } from '@nomicfoundation/edr'
import { handleJobs } from '../platform/worker.ts'

import type { ChainOptions, EvmJob } from './evm-worker.ts'
import { loadEdr } from './load-edr.ts'

const hardfork = 'osaka'
const blockGasLimit = 60_000_000n
const transactionGasCap = 2n ** 24n
const initialBaseFee = 1_000_000_000n

type Edr = typeof import('@nomicfoundation/edr')
type Started = { readonly edr: Edr; readonly context: EdrContext }

// EDR allows one context in a process, so all chains share it.
const started = loadEdr(() => import('@nomicfoundation/edr')).then(startContext)
// Each chain that is opened reports a failure.
started.catch(() => undefined)

async function startContext(edr: Edr): Promise<Started> {
  const context = new edr.EdrContext()
  await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory())
  return { edr, context }
}

const providers = new Map<number, Provider>()

handleJobs<EvmJob, string>(async (job) => ({ answer: await perform(job) }))

async function perform(job: EvmJob): Promise<string> {
  if (job.kind === 'ask') return handleRequest(job)
  if (job.kind === 'open') providers.set(job.chain, await createProvider(job.options))
  else providers.delete(job.chain)
  return ''
}

async function handleRequest({ chain, text }: { readonly chain: number; readonly text: string }) {
  const provider = providers.get(chain)
  if (provider === undefined) throw new Error('The chain was lost with an earlier worker.')
  const sent = performance.now()
  const response = await send(provider, text)
  if (!failed.test(response.slice(0, 200))) return response
  uncollected += performance.now() - sent
  if (uncollected < longFailures) return response
  uncollected = 0
  // The responses are young, and a collection of what is young costs a thirtieth of a full one.
  collectGarbage({ type: 'minor' })
  // The collected memory is freed in the next turn of the event loop.
  await setImmediate()
  return response
}

/** The response to a failed request, whose first members are these. */
const failed = /"error":/

/** The time that requests took which failed since the last collection, in milliseconds. */
let uncollected = 0

/**
 * The time of failed requests from which their memory is collected, in milliseconds. The response to
 * each owns the trace that EDR recorded, up to half a gigabyte outside V8's heap, which would be
 * collected late.
 */
const longFailures = 4

async function send(provider: Provider, text: string): Promise<string> {
  const { data } = await provider.handleRequest(text)
  return typeof data === 'string' ? data : JSON.stringify(data)
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as NonNullable<typeof globalThis.gc>

async function createProvider(options: ChainOptions): Promise<Provider> {
  const { edr, context } = await started
  const config = configOf(edr, options)
  const logger = {
    enable: false,
    decodeConsoleLogInputsCallback: () => [],
    printLineCallback: () => undefined,
  }
  const subscription = { subscriptionCallback: () => undefined }
  const decoder = new edr.ContractDecoder()
  return context.createProvider(edr.L1_CHAIN_TYPE, config, logger, subscription, decoder)
}

function configOf(
  { l1GenesisState, l1HardforkFromString, MineOrdering }: Edr,
  { chainId, genesisTime, accounts, key }: ChainOptions,
): ProviderConfig {
  const funded = accounts.map(({ address, balance }) => {
    return { address: Buffer.from(address.slice(2), 'hex'), balance }
  })
  return {
    allowBlocksWithSameTimestamp: true,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    // A reverted transaction is mined with status 0, and its sender reads the receipt.
    bailOnTransactionFailure: false,
    chainId: BigInt(chainId),
    coinbase: new Uint8Array(20),
    defaultTransactionGasLimit: transactionGasCap,
    genesisState: [...l1GenesisState(l1HardforkFromString(hardfork)), ...funded],
    hardfork,
    initialBaseFeePerGas: initialBaseFee,
    initialParentBeaconBlockRoot: new Uint8Array(32),
    minGasPrice: 0n,
    mining: { autoMine: true, blockGasLimit, memPool: { order: MineOrdering.Fifo } },
    network: { genesisBlockGasLimit: blockGasLimit, genesisBlockTime: BigInt(genesisTime) },
    networkId: BigInt(chainId),
    observability: {},
    ownedAccounts: key === undefined ? [] : [key],
    precompileOverrides: [],
    transactionGasCap,
  }
}
