import type { Account, Hex, Statement } from '@heirloom/core'
import {
  bytesToHex,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  isErc6492Signature,
  type PublicClient,
  parseAbi,
  parseErc6492Signature,
  size,
} from 'viem'
import type { Keccak } from '../../platform/keccak.ts'
import { callContract } from '../call-contract.ts'
import { callNode } from '../node-call.ts'
import { type ContractQueue, contractQueue } from './contract-queue.ts'
import { messageHash } from './signer-recovery.ts'

/** The longest signature that a contract checks, in bytes. */
export const longestSignature = 8192

/**
 * The gas for the check of a signature, and for a factory that deploys the contract before it. Two
 * owners of a Safe take 20,000, a passkey without a precompiled curve 250,000, and the proxy of a
 * usual smart account some 300,000. In the embedded EVM an endless loop takes a third of a
 * millisecond for 1,000 gas.
 */
const checkGas = 300_000n
const deploymentGas = 500_000n

/** Returns the gas of a transaction before it executes: 53,000, and at most 40 for each byte. */
export const intrinsicGas = (data: Hex): bigint => 53_000n + 42n * BigInt(size(data))

const erc1271Abi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])

/** The magic value of ERC-1271, as one word. */
const valid = `0x1626ba7e${'0'.repeat(56)}`

export declare namespace contractSignatureCheck {
  type Parts = {
    readonly client: PublicClient
    readonly keccak: Keccak
    /** Whether the chain is in this process, so that contracts use the time of this process. */
    readonly isLocal?: boolean
    readonly queue?: ContractQueue
  }
}

/**
 * Returns a queue for the contracts of strangers, who need no token to be asked for: it has a tenth
 * of the time of one slot in this process, and takes nothing from the contracts at the gate.
 */
export const strangersQueue = (isLocal: boolean): ContractQueue =>
  contractQueue({
    maxWaiting: 8,
    maxWaitingPerAccount: 2,
    ...(isLocal ? { concurrency: 1, rest: 9 } : { concurrency: 2, rest: 1 }),
  })

/** Returns the queue of a chain. A remote node bounds its own time. */
const queueOf = (isLocal: boolean): ContractQueue =>
  contractQueue({
    maxWaiting: 32,
    maxWaitingPerAccount: 8,
    ...(isLocal ? { concurrency: 1, rest: 3 } : { concurrency: 8, rest: 0 }),
  })

/**
 * Returns a function that calls the contract of an account to check a signature. The result is not
 * cached, since a contract may change it.
 *
 * @throws `ledger/unavailable`, `service/busy`
 */
export function contractSignatureCheck({
  client,
  keccak,
  isLocal = true,
  queue = queueOf(isLocal),
}: contractSignatureCheck.Parts): (statement: Statement) => Promise<boolean> {
  return async ({ account, message, signature }) => {
    if (size(signature) > longestSignature) return false
    const hash = bytesToHex(messageHash(keccak, message))
    return queue(account, () => check(client, { account, hash, signature }))
  }
}

type Claim = { readonly account: Account; readonly hash: Hex; readonly signature: Hex }

async function check(client: PublicClient, claim: Claim): Promise<boolean> {
  const { account, signature } = claim
  const code = await callNode('eth_getCode', () => client.getCode({ address: account }))
  if (code !== undefined) {
    return askContract(client, { ...claim, signature: unwrapErc6492(signature) })
  }
  if (!isErc6492Signature(signature)) return false
  // An account that has sent a transaction has a private key and can never be a contract.
  const count = await callNode('eth_getTransactionCount', () =>
    client.getTransactionCount({ address: account }),
  )
  return count === 0 && isSignedUndeployed(client, claim)
}

/** Returns the signature that ERC-6492 wraps, which is what a deployed contract checks. */
function unwrapErc6492(signature: Hex): Hex {
  if (!isErc6492Signature(signature)) return signature
  try {
    return parseErc6492Signature(signature).signature
  } catch {
    return signature
  }
}

async function askContract(client: PublicClient, claim: Claim): Promise<boolean> {
  const { account, hash, signature } = claim
  const args = [hash, signature] as const
  const data = encodeFunctionData({ abi: erc1271Abi, functionName: 'isValidSignature', args })
  const gas = intrinsicGas(data) + checkGas
  return (await callContract(client, { to: account, data, gas })) === valid
}

/**
 * Returns whether a contract would accept a signature once it is there: simulates the validator of
 * ERC-6492, which deploys the contract and calls it.
 */
async function isSignedUndeployed(client: PublicClient, claim: Claim): Promise<boolean> {
  const { account, hash, signature } = claim
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [account, hash, signature],
    bytecode: erc6492SignatureValidatorByteCode,
  })
  const gas = intrinsicGas(data) + checkGas + deploymentGas
  return (await callContract(client, { data, gas })) === '0x01'
}
