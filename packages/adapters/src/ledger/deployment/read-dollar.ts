import { Failure } from '@heirloom/core'
import {
  decodeFunctionResult,
  domainSeparator,
  encodeFunctionData,
  getAddress,
  type Hex,
  type PublicClient,
  parseAbi,
} from 'viem'
import { executionFailure } from '../node-call.ts'
import { refusalReason } from './opcode-probe.ts'

type Node = Pick<PublicClient, 'request'>

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
])

/**
 * Returns the facts of the dollar of a pair.
 *
 * @throws `config/invalid` if it is no ERC-20 token with an EIP-712 domain, `ledger/unavailable`
 */
export async function readDollar(client: Node, token: Hex): Promise<Dollar> {
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
function reader(client: Node, address: Hex) {
  return async <T>(functionName: ViewName): Promise<T | undefined> => {
    const data = await simulateCall(client, {
      to: address,
      data: encodeFunctionData({ abi, functionName }),
    })
    try {
      return data && (decodeFunctionResult({ abi, functionName, data }) as T)
    } catch {
      return undefined
    }
  }
}

/**
 * Requires that prices can be written in a dollar, and that its EIP-712 domain is the one that it names.
 * Returns whether it states that domain, which a token need not.
 *
 * @throws `config/invalid`, `ledger/unavailable`
 */
export async function requireDomain(
  client: Node,
  { address, name, version, decimals }: Dollar,
  chainId: number,
): Promise<boolean> {
  if (decimals !== priceDecimals) {
    throw unfit(address, `has ${decimals} decimals, and prices in dollars have ${priceDecimals}`)
  }
  const domain = { name, version, chainId, verifyingContract: address }
  const stated = await reader(client, address)<Hex>('DOMAIN_SEPARATOR')
  if (stated === undefined) return false
  if (stated === domainSeparator({ domain })) return true
  throw unfit(address, 'has another EIP-712 domain than its name and version say')
}

type ViewCall = { readonly from?: Hex; readonly to: Hex; readonly data: Hex }

/** Returns what a call returns; `undefined` if it fails. @throws `ledger/unavailable` */
export async function simulateCall(client: Node, call: ViewCall): Promise<Hex | undefined> {
  try {
    return await client.request({ method: 'eth_call', params: [{ ...call }, 'latest'] })
  } catch (cause) {
    // A wallet of a browser passes on what its node said, without the class of the error.
    const reason = refusalReason(cause) ?? executionFailure(cause)
    if (reason !== undefined) return undefined
    throw new Failure('ledger/unavailable', { operation: 'eth_call' }, { cause })
  }
}

/** Returns the failure of a token that cannot be the dollar of a pair. */
export const unfit = (address: Hex, problem: string) =>
  new Failure('config/invalid', {
    name: `The dollar ${address}`,
    problem: `${problem}; a pair needs an ERC-20 token with EIP-3009, such as USDC`,
  })
