import {
  encodeFunctionData,
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
import { authorizationTypes } from '../orders/payment-authorization.ts'
import { type Dollar, readDollar, requireDomain, simulateCall, unfit } from './read-dollar.ts'

const abi = parseAbi([
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

const kinds = ['TransferWithAuthorization', 'ReceiveWithAuthorization'] as const

/** The signer of the authorizations, which are for nothing and only simulated: its key is nobody's. */
const newProber = () => privateKeyToAccount(keccak256(stringToHex('heirloom dollar probe')))

const messageOf = (prober: Hex) => ({
  from: prober,
  to: prober,
  value: 0n,
  validAfter: 0n,
  validBefore: 2n ** 48n,
  nonce: keccak256('0x01'),
})

/** Requires that the token carries out a signed authorization, and refuses one for another amount. */
async function requireAuthorizations(
  client: PublicClient,
  { address, name, version }: Dollar,
  chainId: number,
): Promise<void> {
  const domain = { name, version, chainId, verifyingContract: address }
  const prober = newProber()
  const message = messageOf(prober.address)
  const { from } = message
  const args = [from, message.nonce] as const
  const data = encodeFunctionData({ abi, functionName: 'authorizationState', args })
  const used = await simulateCall(client, { from, to: address, data })
  if (used === undefined || size(used) !== 32 || BigInt(used) !== 0n) {
    throw unfit(address, 'does not say which authorizations were used')
  }
  for (const kind of kinds) {
    const typed = { domain, types: authorizationTypes, primaryType: kind, message }
    const signature = await prober.signTypedData(typed)
    const takes = async (value: bigint) => {
      const data = encodeAuthorization(kind, { ...message, value }, signature)
      return (await simulateCall(client, { from, to: address, data })) !== undefined
    }
    if (!(await takes(0n))) throw unfit(address, `does not take an EIP-3009 ${kind}`)
    if (await takes(1n)) throw unfit(address, `takes a ${kind} that nobody signed`)
  }
}

function encodeAuthorization(
  kind: (typeof kinds)[number],
  { from, to, value, validAfter, validBefore, nonce }: ReturnType<typeof messageOf>,
  signature: Hex,
): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return encodeFunctionData({
    abi,
    functionName:
      kind === 'TransferWithAuthorization'
        ? 'transferWithAuthorization'
        : 'receiveWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s],
  })
}
