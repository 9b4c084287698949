import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Abi,
  concat,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  serializeErc6492Signature,
  type TypedDataDefinition,
} from 'viem'
import {
  entryPoint08Abi,
  getUserOperationHash,
  toPackedUserOperation,
  type UserOperation,
} from 'viem/account-abstraction'
import type { PrivateKeyAccount } from 'viem/accounts'
import { signMessage, signTypedData } from 'viem/experimental/erc7739'
import { compileSolidity } from '../../../packages/adapters/contracts/solidity.ts'
import type { SmartWallet } from './smart-wallet.ts'
import type { WalletCall, WalletChain } from './wallet-chain.ts'

const require = createRequire(import.meta.url)

type Operation = UserOperation<'0.8'>

/** An ERC-4337 account, which its owner may use before it is deployed. */
export type AbstractAccount = SmartWallet & {
  /**
   * Signs a call as a user operation, which deploys the account if it is not there yet; several calls happen
   * together or not at all.
   */
  readonly operate: (...calls: readonly WalletCall[]) => Promise<Operation>
  /** Deploys the account; anybody can. */
  readonly deploy: () => Promise<void>
  /** Replaces the code of the account. */
  readonly upgrade: (implementation: Hex) => Promise<void>
}

/** The entry point of a chain, and the accounts that act through it. */
export type Bundler = {
  /** Returns an account at an address of its own; nothing is deployed yet. */
  readonly account: (owner: PrivateKeyAccount, index: bigint) => Promise<AbstractAccount>
  /** Sends user operations in one transaction, as a bundler does, and returns its hash. */
  readonly bundle: (operations: readonly Operation[]) => Promise<Hex>
  /** Deploys the code of accounts that refuse payments, and returns its address. */
  readonly deployUnpayable: () => Promise<Hex>
}

/** Deploys the entry point of ERC-4337, and a factory of accounts. */
export async function deployBundler(chain: WalletChain): Promise<Bundler> {
  const file = require.resolve('@account-abstraction/contracts/artifacts/EntryPoint.json')
  const { bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { readonly bytecode: Hex }
  const entryPoint = await chain.deploy(bytecode)
  const compiled = compileSolidity(['test/wallets/SmartAccount.sol'])
  const make = (name: string, of: Hex) => {
    const { abi = [], bytecode: code = '0x' } = compiled[name] ?? {}
    return chain.deploy(encodeDeployData({ abi, bytecode: code, args: [of] }))
  }
  const factory = await make('SmartAccountFactory', await make('SmartAccount', entryPoint))
  const bundle: Bundler['bundle'] = async (operations) => {
    const args = [operations.map((it) => toPackedUserOperation(it)), chain.payer.address] as const
    const call = { abi: entryPoint08Abi, functionName: 'handleOps', args } as const
    const gas = 300_000n + BigInt(operations.length) * 2_000_000n
    return (await chain.send({ to: entryPoint, data: encodeFunctionData(call), gas }))
      .transactionHash
  }
  const abis = {
    account: compiled.SmartAccount?.abi ?? [],
    factory: compiled.SmartAccountFactory?.abi ?? [],
  }
  return {
    bundle,
    deployUnpayable: () => make('UnpayableAccount', entryPoint),
    account: async (owner, index) => {
      const salt = concat([owner.address, numberToHex(index, { size: 12 })])
      const call = { abi: abis.factory, functionName: 'getAddress', args: [salt] }
      const address = (await chain.client.readContract({ address: factory, ...call })) as Hex
      const creation = { abi: abis.factory, functionName: 'createAccount', args: [salt] }
      const factoryData = encodeFunctionData(creation)
      const parts = { chain, address, owner, entryPoint, factory, factoryData, bundle }
      return accountAt({ ...parts, abi: abis.account })
    },
  }
}

type Parts = Pick<Bundler, 'bundle'> & {
  readonly chain: WalletChain
  readonly address: Hex
  readonly owner: PrivateKeyAccount
  readonly entryPoint: Hex
  readonly factory: Hex
  readonly factoryData: Hex
  readonly abi: Abi
}

function accountAt(parts: Parts): AbstractAccount {
  const { chain, address, owner, factory, factoryData, bundle, abi } = parts
  const isDeployed = async () => (await chain.client.getCode({ address })) !== undefined
  const operate = async (...calls: readonly WalletCall[]) => {
    const unsigned = await encodeOperation(parts, calls, await isDeployed())
    const of = { chainId: chain.client.chain?.id ?? 0, entryPointAddress: parts.entryPoint }
    const userOperation = { ...unsigned, signature: '0x' as Hex }
    const raw = getUserOperationHash({ ...of, entryPointVersion: '0.8', userOperation })
    return { ...userOperation, signature: await owner.signMessage({ message: { raw } }) }
  }
  const wrapped = async (signature: Hex) =>
    (await isDeployed())
      ? signature
      : serializeErc6492Signature({ address: factory, data: factoryData, signature })
  const domainOf = async () => ({
    name: 'Smart Account',
    version: '1',
    verifyingContract: address,
    chainId: await chain.client.getChainId(),
    salt: pad('0x0'),
  })
  const signing = async () => ({ account: owner, verifierDomain: await domainOf() }) as const
  return {
    address,
    operate,
    deploy: async () => {
      await chain.send({ to: factory, data: factoryData })
    },
    upgrade: async (implementation) => {
      const args = [implementation, '0x'] as const
      const data = encodeFunctionData({ abi, functionName: 'upgradeToAndCall', args })
      await bundle([await operate({ to: address, data })])
    },
    send: async (call) => bundle([await operate(call)]),
    signMessage: async ({ message }) =>
      wrapped(await signMessage(chain.client, { ...(await signing()), message })),
    signTypedData: async (typedData: TypedDataDefinition) =>
      wrapped(await signTypedData(chain.client, { ...(await signing()), ...typedData } as never)),
  }
}

/** Returns the user operation of a call without its signature. */
async function encodeOperation(
  { chain, address, entryPoint, factory, factoryData, abi }: Parts,
  calls: readonly WalletCall[],
  isDeployed: boolean,
): Promise<Omit<Operation, 'signature'>> {
  const nonce = await chain.client.readContract({
    address: entryPoint,
    abi: entryPoint08Abi,
    functionName: 'getNonce',
    args: [address, 0n],
  })
  const { maxFeePerGas, maxPriorityFeePerGas } = await chain.client.estimateFeesPerGas()
  return {
    sender: address,
    nonce,
    maxFeePerGas,
    maxPriorityFeePerGas,
    ...(!isDeployed && { factory, factoryData }),
    callData: encodeFunctionData({
      abi,
      functionName: 'executeBatch',
      args: [calls.map(encodeCall)],
    }),
    callGasLimit: 600_000n,
    verificationGasLimit: 500_000n,
    preVerificationGas: 60_000n,
  }
}

const encodeCall = ({ to: target, value = 0n, data = '0x' }: WalletCall) => ({
  target,
  value,
  data,
})
