import { type Account, account } from '@heirloom/core'
import {
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  isErc6492Signature,
  keccak256,
  type PublicClient,
  parseAbi,
  parseAbiParameters,
  parseErc6492Signature,
  size,
} from 'viem'
import { callNode } from '../node-call.ts'

/**
 * The factory of accounts that a passkey signs for: the Coinbase Smart Wallet, version 1, which was
 * audited three times and has these addresses and this code on every chain that has it.
 *
 * Source: https://github.com/coinbase/smart-wallet (MIT)
 */
export const accountFactory = {
  address: '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a',
  implementation: '0x000100abaad02f1cfC8Bbe32bD5a564817339E72',
} as const

/** The hashes of their codes: on a chain of its own, somebody may have put other code there. */
const codeHashes = {
  address: '0xc4900c000fd23885462a115b872741ad2b1e7ff2d7889aee18bc4d4bef3728f6',
  implementation: '0x179bcb847d3401ac830789a21cc37ed846fd5da9582a9c9d4b5140b6f26bd1a1',
} as const

/** The contract of the curve P-256 that a chain itself has (EIP-7951, RIP-7212). */
const curve = '0x0000000000000000000000000000000000000100'

/** A hash, a signature of it and its key, which EIP-7951 has as an example. */
const signed: Hex =
  '0x4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d604aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e'

const abi = parseAbi([
  'function createAccount(bytes[] owners, uint256 nonce) payable returns (address)',
])

type Reader = Pick<PublicClient, 'getCode' | 'call'>

/**
 * Returns whether a chain has passkey accounts: their factory with its own code, and the curve, without
 * which a signature takes more gas than a relay allows.
 *
 * @throws `ledger/unavailable`
 */
export async function hasPasskeyAccounts(client: Reader): Promise<boolean> {
  for (const name of ['address', 'implementation'] as const) {
    const code = await callNode('eth_getCode', () =>
      client.getCode({ address: accountFactory[name] }),
    )
    if (code === undefined || keccak256(code) !== codeHashes[name]) return false
  }
  const { data } = await callNode('eth_call', () => client.call({ to: curve, data: signed }))
  return data !== undefined && BigInt(data) === 1n
}

/**
 * The code that deploys an account: a proxy (ERC-1967) of the wallet, as the factory has it.
 *
 * Source: https://github.com/Vectorized/solady, LibClone.initCodeERC1967 (MIT)
 */
const creationCode = concat([
  '0x603d3d8160223d3973',
  accountFactory.implementation,
  '0x60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3',
])

/**
 * Returns the address of the account of a passkey, whether it is there yet or not. It is computed, so
 * no node can name another one.
 */
export function passkeyAddress(publicKey: Hex): Account {
  const salt = keccak256(
    encodeAbiParameters(parseAbiParameters('bytes[], uint256'), [[publicKey], 0n]),
  )
  const from = accountFactory.address
  return account(getContractAddress({ opcode: 'CREATE2', from, salt, bytecode: creationCode }))
}

/** Returns the call of the factory that deploys the account of a passkey; it has no effect on one that is there. */
export const encodeCreation = (publicKey: Hex): Hex =>
  encodeFunctionData({ abi, functionName: 'createAccount', args: [[publicKey], 0n] })

/** The passkey and the signature of an account that is not there yet (ERC-6492). */
export type Creation = { readonly publicKey: Hex; readonly signature: Hex }

/** The length of a public key of P-256: its two coordinates. */
const keyLength = 64

/** Returns the passkey in a signature that deploys its account; `undefined` for any other signature. */
export function creationIn(wrapped: Hex): Creation | undefined {
  if (!isErc6492Signature(wrapped)) return undefined
  try {
    const { address, data = '0x', signature } = parseErc6492Signature(wrapped)
    const { functionName, args } = decodeFunctionData({ abi, data })
    const [publicKey = '0x'] = args[0]
    const isOurs = address?.toLowerCase() === accountFactory.address.toLowerCase()
    const isPlain = functionName === 'createAccount' && data === encodeCreation(publicKey)
    return isOurs && isPlain && size(publicKey) === keyLength ? { publicKey, signature } : undefined
  } catch {
    return undefined
  }
}
