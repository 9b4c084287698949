import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  type Provider,
  type ProviderConfig,
} from '@nomicfoundation/edr'
import { answering } from '../platform/worker.ts'
import type { openEvm } from './evm.ts'
import type { EvmJob } from './evm-worker.ts'

const hardfork = 'osaka'
const blockGasLimit = 60_000_000n
const transactionGasCap = 2n ** 24n
const initialBaseFee = 1_000_000_000n

// EDR allows one context in a process, so every chain shares it.
const edr = new EdrContext()
const ready = edr.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory())

const providers = new Map<number, Provider>()

answering<EvmJob, string>(async (job) => ({ answer: await answer(job) }))

async function answer(job: EvmJob): Promise<string> {
  if (job.kind === 'ask') return answered(job)
  if (job.kind === 'open') providers.set(job.chain, await createProvider(configOf(job.options)))
  else providers.delete(job.chain)
  return ''
}

async function answered({ chain, text }: { readonly chain: number; readonly text: string }) {
  const provider = providers.get(chain)
  if (provider === undefined) throw new Error('The chain was lost with an earlier thread.')
  const began = performance.now()
  const answer = await spoken(provider, text)
  if (performance.now() - began < long) return answer
  collectGarbage()
  // What was collected is freed in the next turn of the event loop.
  await setImmediate()
  return answer
}

async function spoken(provider: Provider, text: string): Promise<string> {
  const { data } = await provider.handleRequest(text)
  return typeof data === 'string' ? data : JSON.stringify(data)
}

/**
 * From how many milliseconds on a request counts as long. The answer to a failed call owns the steps
 * that EDR recorded, up to half a gigabyte that V8 knows nothing of and would collect late.
 */
const long = 20

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

async function createProvider(config: ProviderConfig): Promise<Provider> {
  await ready
  const logger = {
    enable: false,
    decodeConsoleLogInputsCallback: () => [],
    printLineCallback: () => undefined,
  }
  const subscription = { subscriptionCallback: () => undefined }
  return edr.createProvider(L1_CHAIN_TYPE, config, logger, subscription, new ContractDecoder())
}

function configOf({ chainId, genesisTime, accounts, key }: openEvm.Options): ProviderConfig {
  const funded = accounts.map(({ address, balance }) => {
    return { address: Buffer.from(address.slice(2), 'hex'), balance }
  })
  return {
    allowBlocksWithSameTimestamp: true,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    // A reverting transaction is mined with status 0, and its sender reads the receipt.
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
