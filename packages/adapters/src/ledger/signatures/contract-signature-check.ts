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
import { causes } from '../causes.ts'
import { ask } from '../connection.ts'
import { type ContractQueue, contractQueue } from './contract-queue.ts'
import { signedHash } from './signer-recovery.ts'

/** The longest signature that a contract is asked about, in bytes. */
export const longestSignature = 8192

/**
 * How much gas a contract may use to recognise a signature, and how much more a factory may use to
 * make one that is not deployed. Two owners of a Safe take 20,000, a passkey without a precompiled
 * curve 250,000, and the proxy of a usual smart account some 300,000. In the embedded EVM an
 * endless loop takes a third of a millisecond for 1,000 gas.
 */
const recognitionGas = 300_000n
const deploymentGas = 500_000n

/** What a transaction costs before it does anything: at most 40 gas for a byte, and 53,000 for all. */
const intrinsicGas = (data: Hex): bigint => 53_000n + 42n * BigInt(size(data))

const erc1271Abi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])

/** What a contract answers that recognises a signature, as one word. */
const recognised = `0x1626ba7e${'0'.repeat(56)}`

export declare namespace contractSigned {
  type Parts = {
    readonly client: PublicClient
    readonly keccak: Keccak
    /** Whether the chain is in this process, whose time its contracts would take. */
    readonly isHere?: boolean
    readonly queue?: ContractQueue
  }
}

/** A node elsewhere spends its own time, and bounds it itself. */
const queueOf = (isHere: boolean): ContractQueue =>
  contractQueue({
    ...{ waiting: 32, waitingEach: 8 },
    ...(isHere ? { atOnce: 1, rest: 3 } : { atOnce: 8, rest: 0 }),
  })

/**
 * Returns a function that asks the contract of an account whether it recognises a signature. The
 * answer is never remembered, for a contract may change its mind.
 *
 * @throws `ledger/unavailable`, `service/busy`
 */
export function contractSigned({
  client,
  keccak,
  isHere = true,
  queue = queueOf(isHere),
}: contractSigned.Parts): (statement: Statement) => Promise<boolean> {
  return async ({ account, message, signature }) => {
    if (size(signature) > longestSignature) return false
    const hash = bytesToHex(signedHash(keccak, message))
    return queue(account, () => recognise(client, { account, hash, signature }))
  }
}

type Claim = { readonly account: Account; readonly hash: Hex; readonly signature: Hex }

async function recognise(client: PublicClient, claim: Claim): Promise<boolean> {
  const { account, signature } = claim
  const code = await ask('eth_getCode', () => client.getCode({ address: account }))
  if (code !== undefined) return askContract(client, { ...claim, signature: innermost(signature) })
  if (!isErc6492Signature(signature)) return false
  // An account that has sent a transaction has a key, and will never be a contract.
  const sent = await ask('eth_getTransactionCount', () =>
    client.getTransactionCount({ address: account }),
  )
  return sent === 0 && askAfterDeployment(client, claim)
}

/** Returns the signature within one that ERC-6492 wraps, which a deployed contract is asked about. */
function innermost(signature: Hex): Hex {
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
  const gas = intrinsicGas(data) + recognitionGas
  return (await answerOf(client, { to: account, data, gas })) === recognised
}

/** Runs the validator of ERC-6492 without deploying it: it makes the contract, and asks it. */
async function askAfterDeployment(client: PublicClient, claim: Claim): Promise<boolean> {
  const { account, hash, signature } = claim
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [account, hash, signature],
    bytecode: erc6492SignatureValidatorByteCode,
  })
  const gas = intrinsicGas(data) + recognitionGas + deploymentGas
  const verdict = await answerOf(client, { data, gas })
  return verdict === '0x01'
}

type Call = { readonly to?: Hex; readonly data: Hex; readonly gas: bigint }

/** Returns what a call answers; absent where it was carried out and failed. */
async function answerOf(client: PublicClient, call: Call): Promise<Hex | undefined> {
  return ask('eth_call', async () => {
    try {
      return (await client.call(call)).data
    } catch (error) {
      if (isVerdict(error)) return undefined
      throw error
    }
  })
}

/** The codes of nodes for a call that was carried out and failed: reverted, or without gas. */
const failedCalls = [3, -32000, -32015]

const isVerdict = (error: unknown): boolean =>
  [...causes(error)].some((cause) => 'code' in cause && failedCalls.includes(Number(cause.code)))
