import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Abi,
  concat,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hashTypedData,
  parseEventLogs,
  zeroAddress,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { SmartWallet } from './smart-wallet.ts'
import type { WalletCall, WalletChain } from './wallet-chain.ts'

const require = createRequire(import.meta.url)

/** Returns a contract of the Safe as its package compiled it. */
function safeArtifact(path: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const file = `@safe-global/safe-smart-account/build/artifacts/contracts/${path}.json`
  return JSON.parse(readFileSync(require.resolve(file), 'utf8'))
}

/** Makes Safes. */
export type Safes = {
  /** Makes a Safe that acts when so many of its owners have signed. */
  readonly create: (
    owners: readonly PrivateKeyAccount[],
    threshold?: number,
  ) => Promise<SmartWallet>
}

/** Deploys the contracts that all Safes of a chain share. */
export async function deploySafes(chain: WalletChain): Promise<Safes> {
  const safe = safeArtifact('Safe.sol/Safe')
  const factory = safeArtifact('proxies/SafeProxyFactory.sol/SafeProxyFactory')
  const handler = safeArtifact(
    'handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler',
  )
  const singleton = await chain.deploy(safe.bytecode)
  const makes = await chain.deploy(factory.bytecode)
  const answers = await chain.deploy(handler.bytecode)
  let salt = 0n
  return {
    create: async (owners, threshold = owners.length) => {
      const addresses = owners.map(({ address }) => address)
      const setup = encodeFunctionData({
        abi: safe.abi,
        functionName: 'setup',
        args: [
          ...[addresses, BigInt(threshold), zeroAddress, '0x'],
          ...[answers, zeroAddress, 0n, zeroAddress],
        ],
      })
      salt += 1n
      const data = encodeFunctionData({
        abi: factory.abi,
        functionName: 'createProxyWithNonce',
        args: [singleton, setup, salt],
      })
      const { logs } = await chain.send({ to: makes, data })
      const [made] = parseEventLogs({ abi: factory.abi, eventName: 'ProxyCreation', logs })
      const { proxy } = (made as unknown as { readonly args: { readonly proxy: Hex } }).args
      return safeAt(chain, proxy, { owners: owners.slice(0, threshold), abi: safe.abi })
    },
  }
}

type Parts = { readonly owners: readonly PrivateKeyAccount[]; readonly abi: Abi }

/** Returns a Safe for which some of its owners sign. */
async function safeAt(
  chain: WalletChain,
  address: Hex,
  { owners, abi }: Parts,
): Promise<SmartWallet> {
  const domain = { chainId: await chain.client.getChainId(), verifyingContract: address }
  // A Safe takes the signatures one after the other, in the order of their owners' addresses.
  const signers = owners.toSorted((one, other) =>
    one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1,
  )
  const signHash = async (message: Hex) => {
    const types = { SafeMessage: [{ name: 'message', type: 'bytes' }] } as const
    const text = { domain, types, primaryType: 'SafeMessage', message: { message } } as const
    return concat(await Promise.all(signers.map((owner) => owner.signTypedData(text))))
  }
  const send = async ({ to, data = '0x', value = 0n }: WalletCall) => {
    const nonce = await chain.client.readContract({ address, abi, functionName: 'nonce' })
    const call = { ...noRefund, to, value, data }
    const message = { ...call, nonce: nonce as bigint }
    const text = { domain, types: transactionTypes, primaryType: 'SafeTx', message } as const
    const signatures = concat(await Promise.all(signers.map((owner) => owner.signTypedData(text))))
    const args = [
      ...[to, value, data, call.operation, call.safeTxGas, call.baseGas, call.gasPrice],
      ...[call.gasToken, call.refundReceiver, signatures],
    ]
    const execution = encodeFunctionData({ abi, functionName: 'execTransaction', args })
    return (await chain.send({ to: address, data: execution })).transactionHash
  }
  return {
    address,
    send,
    signMessage: ({ message }) => signHash(hashMessage(message)),
    signTypedData: (typedData) => signHash(hashTypedData(typedData)),
  }
}

const noRefund = {
  operation: 0,
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: zeroAddress,
  refundReceiver: zeroAddress,
} as const

const transactionTypes = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const
