import {
  type Address,
  createWalletClient,
  custom,
  defineChain,
  getAddress,
  getContract,
  type Hex,
  keccak256,
  publicActions,
  type TransactionReceipt,
  toHex,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Evm, openEvm } from '../../src/embedded-chain/evm.ts'
import {
  forwarderAbi,
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../src/ledger/contracts.generated.ts'
import { memoryMarketplaceBytecode } from '../../src/ledger/deployment/creation.generated.ts'
import {
  testDollarAbi,
  testDollarBytecode,
} from '../../src/ledger/deployment/test-dollar.generated.ts'
import type { Artifact } from '../solidity.ts'

/** The genesis time of the chain, in seconds since 1970. */
export const genesisTime = 1_800_000_000n

/** The balance of each party at genesis, in wei. */
export const funds = 10n ** 30n

const chain = defineChain({
  id: 31337,
  name: 'harness',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

const parties = Array.from({ length: 12 }, (_, index) =>
  privateKeyToAccount(keccak256(toHex(`party ${index}`))),
)

/** Returns the funded account with an index. */
export function party(index: number): PrivateKeyAccount {
  const account = parties[index]
  if (!account) throw new Error(`There is no party ${index}.`)
  return account
}

/** A new chain with the deployed contracts and funded parties. */
export type ContractHarness = Awaited<ReturnType<typeof openContractHarness>>

const testDollarCode = { abi: testDollarAbi, bytecode: testDollarBytecode }

/** Opens a harness whose pair has a dollar of this code, which may be one that behaves badly. */
export async function openContractHarness(
  dollarCode: Pick<Artifact, 'abi' | 'bytecode'> = testDollarCode,
) {
  const accounts = parties.map(({ address }) => ({ address, balance: funds }))
  const evm = await openEvm({ chainId: chain.id, genesisTime: Number(genesisTime), accounts })
  const client = clientOf(evm)
  const mined = (sent: Promise<Hex>) => receiptOf(client, sent)
  const deploy = async (
    { abi, bytecode }: Pick<Artifact, 'abi' | 'bytecode'>,
    args: readonly unknown[] = [],
  ) => mined(client.deployContract({ abi, bytecode, args, account: party(0) }))
  const dollar = getContract({
    address: createdBy(await deploy(dollarCode)),
    abi: testDollarAbi,
    client,
  })
  const pairCode = { abi: memoryMarketplaceAbi, bytecode: memoryMarketplaceBytecode }
  const deployment = await deploy(pairCode, [dollar.address])
  const marketplace = marketplaceAt(client, createdBy(deployment))
  const registry = registryAt(client, await marketplace.read.registry())
  const forwarder = getContract({
    address: await marketplace.read.trustedForwarder(),
    abi: forwarderAbi,
    client,
  })
  return {
    client,
    deployment,
    marketplace,
    registry,
    forwarder,
    dollar,
    /** Waits for a transaction and returns its receipt; throws when it reverted. */
    mined,
    /** Deploys a contract and returns its address. */
    deploy: async (contract: Pick<Artifact, 'abi' | 'bytecode'>, args?: readonly unknown[]) =>
      createdBy(await deploy(contract, args)),
    /** Mines an empty block at a time in seconds. */
    mineAt: async (seconds: bigint) => {
      await evm.request({ method: 'evm_setNextBlockTimestamp', params: [Number(seconds)] })
      await evm.request({ method: 'evm_mine' })
    },
    /** Sets the time of the next block, in seconds. */
    dateNextBlock: async (seconds: bigint) => {
      await evm.request({ method: 'evm_setNextBlockTimestamp', params: [Number(seconds)] })
    },
    close: () => evm.close(),
  }
}

type Client = ReturnType<typeof clientOf>

function clientOf(evm: Evm) {
  return createWalletClient({
    chain,
    transport: custom({ request: (call) => requestWithMargin(evm, call) }, { retryCount: 0 }),
    cacheTime: 0,
  }).extend(publicActions)
}

type RpcCall = Parameters<Evm['request']>[0]

/** Adds a margin to estimates: in the next second an act can be a sign of life, which costs more. */
async function requestWithMargin(evm: Evm, call: RpcCall): Promise<unknown> {
  const answer = await evm.request(call)
  return call.method === 'eth_estimateGas' ? toHex(withMargin(BigInt(answer as Hex))) : answer
}

/** The gas of a sign of life: words of storage, and its event. */
const signOfLifeGas = 100_000n

/** Adds a quarter, but no more than a sign of life takes: a transaction has a highest gas. */
const withMargin = (gas: bigint): bigint =>
  gas + (gas / 4n < signOfLifeGas ? gas / 4n : signOfLifeGas)

function registryAt(client: Client, address: Address) {
  return getContract({ address, abi: memoryRegistryAbi, client })
}

function marketplaceAt(client: Client, address: Address) {
  return getContract({ address, abi: memoryMarketplaceAbi, client })
}

async function receiptOf(client: Client, sent: Promise<Hex>): Promise<TransactionReceipt> {
  const receipt = await client.getTransactionReceipt({ hash: await sent })
  if (receipt.status !== 'success')
    throw new Error(`Transaction ${receipt.transactionHash} reverted.`)
  return receipt
}

function createdBy({ contractAddress }: TransactionReceipt): Address {
  if (!contractAddress) throw new Error('No contract was deployed.')
  return getAddress(contractAddress)
}
