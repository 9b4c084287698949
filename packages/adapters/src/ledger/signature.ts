import type { Account, Hex } from '@heirloom/core'
import {
  bytesToHex,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  getAddress,
  isHex,
  type PublicClient,
  size,
} from 'viem'
import { recent } from '../recent.ts'
import { ask } from './connection.ts'
import type { Keccak } from './keccak.ts'
import type { Recover, Signature } from './recovery.ts'

/** Half the order of secp256k1; an s above it is the second spelling of a signature (EIP-2). */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** How much a contract may read and compute to recognise a signature. */
const longestSignature = 4096
const validationGas = 1_500_000n

const addressLike = /^0x[0-9a-fA-F]{40}$/
const counterfactual = '6492649264926492649264926492649264926492649264926492649264926492'

/** What an account is said to have signed. */
export type Statement = {
  readonly account: Account
  readonly message: string
  readonly signature: Hex
}

/** The parts that recognise signatures. */
export type Recogniser = {
  readonly client: PublicClient
  readonly recover: Recover
  readonly keccak: Keccak
}

/** How many recognised signatures are remembered: the last ones, and at most twice as many. */
const remembered = 16_384

/**
 * Returns what tells whether an account signed a message: a wallet by EIP-191, a contract by
 * ERC-1271, one that is not deployed yet by ERC-6492. The account must be in its EIP-55 spelling.
 * Of a wallet the answer never changes, and is remembered; a contract is asked each time.
 *
 * @throws `ledger/unavailable`
 */
export function recogniser(parts: Recogniser): (statement: Statement) => Promise<boolean> {
  const known = recent<Hex, Statement>(remembered)
  return async (statement) => {
    if (isSame(known.get(statement.signature), statement)) return true
    if (!isReadable(statement)) return false
    const hash = hashOf(parts.keccak, statement.message)
    if ((await walletOf(parts, hash, statement.signature)) === statement.account) {
      known.set(statement.signature, statement)
      return true
    }
    if (getAddress(statement.account) !== statement.account) return false
    return contractSigned(parts.client, { ...statement, hash: bytesToHex(hash) })
  }
}

function isSame(one: Statement | undefined, other: Statement): boolean {
  return one?.account === other.account && one.message === other.message
}

function isReadable({ account, signature }: Statement): boolean {
  return addressLike.test(account) && isHex(signature) && size(signature) <= longestSignature
}

/** Returns what a wallet signs for a message (EIP-191). */
function hashOf(keccak: Keccak, message: string): Uint8Array {
  const text = Buffer.from(message)
  return keccak(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]))
}

/** Returns the wallet that made a signature, in its EIP-55 spelling. */
async function walletOf(
  { recover, keccak }: Recogniser,
  hash: Uint8Array,
  hex: Hex,
): Promise<Account | undefined> {
  const signature = readSignature(hex)
  if (signature === undefined) return undefined
  const key = await recover(hash, signature)
  if (key === undefined) return undefined
  return spelled(keccak, Buffer.from(keccak(key.subarray(1)).subarray(12)).toString('hex'))
}

/** Spells an address by EIP-55: a letter is a capital where the digest of them all says so. */
function spelled(keccak: Keccak, digits: string): Account {
  const digest = Buffer.from(keccak(Buffer.from(digits))).toString('hex')
  let text = '0x'
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charAt(at)
    text += digest.charAt(at) >= '8' ? digit.toUpperCase() : digit
  }
  return text as Account
}

/** Reads 65 bytes of r, s and v, with v in either spelling and s in the lower half. */
function readSignature(hex: Hex): Signature | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(hex)) return undefined
  const bytes = Buffer.from(hex.slice(2), 'hex')
  const v = bytes[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  if (BigInt(`0x${hex.slice(66, 130)}`) > highestS) return undefined
  if (recovery !== 0 && recovery !== 1) return undefined
  return { compact: bytes.subarray(0, 64), recovery }
}

async function contractSigned(
  client: PublicClient,
  { account, hash, signature }: { account: Account; hash: Hex; signature: Hex },
): Promise<boolean> {
  const code = await ask('eth_getCode', () => client.getCode({ address: account }))
  if (code === undefined && !signature.endsWith(counterfactual)) return false
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [account, hash, signature],
    bytecode: erc6492SignatureValidatorByteCode,
  })
  const verdict = await validate(client, data)
  return verdict !== undefined && BigInt(verdict) === 1n
}

/** Runs the validator without deploying it; one that reverts or runs out of gas says no. */
async function validate(client: PublicClient, data: Hex): Promise<Hex | undefined> {
  const call = client.call({ data, gas: validationGas })
  const answer = await call.catch(async () => {
    // Tells a verdict of the validator from a node that is gone.
    await ask('eth_call', () => client.getBlockNumber())
    return { data: undefined }
  })
  return answer.data === '0x' ? undefined : answer.data
}
