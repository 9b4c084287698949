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
import { type Hex, hexToBytes } from 'viem'
import { type Refusal, RpcError, rpcCode, rpcErrorOf } from './rpc-error.ts'

const hardfork = 'osaka'
const blockGasLimit = 60_000_000n
const transactionGasCap = 2n ** 24n
const initialBaseFee = 1_000_000_000n

/** One JSON-RPC call, as EIP-1193 spells it. */
export type RpcRequest = { readonly method: string; readonly params?: unknown }

/** A chain in this process, asked through JSON-RPC methods. */
export type Evm = {
  request(request: RpcRequest): Promise<unknown>
  /** Answers requests one after the other; the first that is refused ends the list, with its error. */
  requestAll(requests: readonly RpcRequest[]): Promise<readonly unknown[]>
  close(): Promise<void>
}

export declare namespace openEvm {
  type Options = {
    readonly chainId: number
    /** Seconds since 1970. */
    readonly genesisTime: number
    readonly accounts: readonly { readonly address: Hex; readonly balance: bigint }[]
    /** The private key of an account whose transactions it signs itself when told to. */
    readonly key?: Hex | undefined
  }
}

/**
 * Opens a fresh chain that mines one block for each accepted transaction.
 *
 * Equal options, followed by equal transactions at equal block timestamps, reach equal block hashes.
 */
export async function openEvm(options: openEvm.Options): Promise<Evm> {
  let provider: Provider | undefined = await createProvider(configOf(options))
  const ask = async (body: unknown) => {
    if (!provider) throw new RpcError(rpcCode.refused, 'The chain is closed.')
    return resultOf(await provider.handleRequest(JSON.stringify(body)))
  }
  return {
    request: ({ method, params = [] }) => ask({ method, params, ...envelope }),
    requestAll: (requests) => ask(requests) as Promise<readonly unknown[]>,
    close: async () => {
      provider = undefined
    },
  }
}

const envelope = { jsonrpc: '2.0', id: 1 }

type Context = { readonly edr: EdrContext; readonly ready: Promise<void> }
let context: Context | undefined

// EDR allows one context in a process, so every chain shares it.
function sharedContext(): Context {
  if (context) return context
  const edr = new EdrContext()
  context = { edr, ready: edr.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory()) }
  return context
}

async function createProvider(config: ProviderConfig): Promise<Provider> {
  const { edr, ready } = sharedContext()
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
  const funded = accounts.map(({ address, balance }) => ({ address: hexToBytes(address), balance }))
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

function resultOf({ data }: { readonly data: unknown }): unknown {
  const answer: unknown = typeof data === 'string' ? JSON.parse(data) : data
  const { error, result } = answer as { readonly result?: unknown; readonly error?: Refusal }
  if (error) throw rpcErrorOf(error)
  return result
}
