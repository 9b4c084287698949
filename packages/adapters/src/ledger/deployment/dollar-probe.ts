import { Failure } from '@heirloom/core'
import {
  decodeFunctionResult,
  domainSeparator,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  type PublicClient,
  parseAbi,
  parseSignature,
  size,
  stringToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { callNode } from '../node-call.ts'
import { authorizationTypes } from '../orders/authorization-types.ts'
import { refusalReason } from './opcode-probe.ts'

/** The facts of a dollar that those who pay with it need. */
export type Dollar = {
  readonly address: Hex
  readonly symbol: string
  readonly decimals: number
  /** The name and version of the EIP-712 domain in which authorizations are signed. */
  readonly name: string
  readonly version: string
}

/** The decimals that prices in dollars are written with. */
const priceDecimals = 6

const abi = parseAbi([
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function eip712Domain() view returns (bytes1, string, string, uint256, address, bytes32, uint256[])',
  'function authorizationState(address, bytes32) view returns (bool)',
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32)',
  'function receiveWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32)',
])

/**
 * Returns the facts of an ERC-20 token, and requires that it can be the dollar of a pair: it has six
 * decimals, a readable EIP-712 domain, and takes authorizations (EIP-3009). Sends no transaction.
 *
 * @throws `config/invalid`, `ledger/unavailable`
 */
export async function probeDollar(client: PublicClient, address: Hex): Promise<Dollar> {
  const dollar = await readDollar(client, address)
  const chainId = await callNode('eth_chainId', () => client.getChainId())
  await requireDomain(client, dollar, chainId)
  await requireAuthorizations(client, dollar, chainId)
  return dollar
}

/**
 * Returns the facts of the dollar of a pair.
 *
 * @throws `config/invalid` if it is no ERC-20 token with an EIP-712 domain, `ledger/unavailable`
 */
export async function readDollar(client: PublicClient, token: Hex): Promise<Dollar> {
  const address = getAddress(token)
  const read = reader(client, address)
  const [symbol, decimals, domain] = await Promise.all([
    read<string>('symbol'),
    read<number>('decimals'),
    read<readonly [Hex, string, string]>('eip712Domain'),
  ])
  // USDC does not implement ERC-5267, and uses the name of the token and its version.
  const name = domain?.[1] ?? (await read<string>('name'))
  const version = domain?.[2] ?? (await read<string>('version'))
  if (symbol === undefined || decimals === undefined) throw unfit(address, 'is no ERC-20 token')
  if (name === undefined || version === undefined) {
    throw unfit(address, 'does not say the name and version of its EIP-712 domain')
  }
  return { address, symbol, decimals, name, version }
}

type ViewName = 'symbol' | 'decimals' | 'name' | 'version' | 'DOMAIN_SEPARATOR' | 'eip712Domain'

/** Returns a function that reads a view; the result is `undefined` where the token has no such view. */
function reader(client: PublicClient, address: Hex) {
  return async <T>(functionName: ViewName): Promise<T | undefined> => {
    const data = await simulateCall(client, address, encodeFunctionData({ abi, functionName }))
    try {
      return data && (decodeFunctionResult({ abi, functionName, data }) as T)
    } catch {
      return undefined
    }
  }
}

/**
 * Requires that prices can be written in a dollar, and that its EIP-712 domain is the one that it names.
 *
 * @throws `config/invalid`, `ledger/unavailable`
 */
export async function requireDomain(
  client: PublicClient,
  { address, name, version, decimals }: Dollar,
  chainId: number,
): Promise<void> {
  if (decimals !== priceDecimals) {
    throw unfit(address, `has ${decimals} decimals, and prices in dollars have ${priceDecimals}`)
  }
  const domain = { name, version, chainId, verifyingContract: address }
  const stated = await reader(client, address)<Hex>('DOMAIN_SEPARATOR')
  if (stated === undefined || stated === domainSeparator({ domain })) return
  throw unfit(address, 'has another EIP-712 domain than its name and version say')
}

/** Nobody's key: it signs authorizations for nothing, which are only simulated. */
const prober = privateKeyToAccount(keccak256(stringToHex('heirloom dollar probe')))

const kinds = ['TransferWithAuthorization', 'ReceiveWithAuthorization'] as const

const message = {
  from: prober.address,
  to: prober.address,
  value: 0n,
  validAfter: 0n,
  validBefore: 2n ** 48n,
  nonce: keccak256('0x01'),
}

/** Requires that the token carries out a signed authorization, and refuses one for another amount. */
async function requireAuthorizations(
  client: PublicClient,
  { address, name, version }: Dollar,
  chainId: number,
): Promise<void> {
  const domain = { name, version, chainId, verifyingContract: address }
  const args = [prober.address, message.nonce] as const
  const data = encodeFunctionData({ abi, functionName: 'authorizationState', args })
  const used = await simulateCall(client, address, data)
  if (used === undefined || size(used) !== 32 || BigInt(used) !== 0n) {
    throw unfit(address, 'does not say which authorizations were used')
  }
  for (const kind of kinds) {
    const typed = { domain, types: authorizationTypes, primaryType: kind, message }
    const signature = await prober.signTypedData(typed)
    const takes = async (value: bigint) => {
      const data = encodeAuthorization(kind, signature, value)
      return (await simulateCall(client, address, data)) !== undefined
    }
    if (!(await takes(0n))) throw unfit(address, `does not take an EIP-3009 ${kind}`)
    if (await takes(1n)) throw unfit(address, `takes a ${kind} that nobody signed`)
  }
}

function encodeAuthorization(kind: (typeof kinds)[number], signature: Hex, value: bigint): Hex {
  const { r, s, yParity } = parseSignature(signature)
  const { from, to, validAfter, validBefore, nonce } = message
  return encodeFunctionData({
    abi,
    functionName:
      kind === 'TransferWithAuthorization'
        ? 'transferWithAuthorization'
        : 'receiveWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s],
  })
}

/** Returns what a call returns; `undefined` if it fails. @throws `ledger/unavailable` */
async function simulateCall(client: PublicClient, to: Hex, data: Hex): Promise<Hex | undefined> {
  const params = [{ from: prober.address, to, data }, 'latest'] as const
  try {
    return await client.request({ method: 'eth_call', params: [...params] })
  } catch (cause) {
    if (refusalReason(cause) !== undefined) return undefined
    throw new Failure('ledger/unavailable', { operation: 'eth_call' }, { cause })
  }
}

const unfit = (address: Hex, problem: string) =>
  new Failure('config/invalid', {
    name: `The dollar ${address}`,
    problem: `${problem}; a pair needs an ERC-20 token with EIP-3009, such as USDC`,
  })
