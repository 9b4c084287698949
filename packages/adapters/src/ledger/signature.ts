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
import type { Keccak } from '../keccak.ts'
import { recent } from '../recent.ts'
import { ask } from './connection.ts'
import { type SignerOf, signedHash } from './signer.ts'

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
  readonly signerOf: SignerOf
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
export function recogniser({
  client,
  signerOf,
  keccak,
}: Recogniser): (statement: Statement) => Promise<boolean> {
  const known = recent<Hex, Statement>(remembered)
  return async (statement) => {
    if (isSame(known.get(statement.signature), statement)) return true
    if (!isReadable(statement)) return false
    if ((await signerOf(statement)) === statement.account) {
      known.set(statement.signature, statement)
      return true
    }
    if (getAddress(statement.account) !== statement.account) return false
    const hash = bytesToHex(signedHash(keccak, statement.message))
    return contractSigned(client, { ...statement, hash })
  }
}

function isSame(one: Statement | undefined, other: Statement): boolean {
  return one?.account === other.account && one.message === other.message
}

function isReadable({ account, signature }: Statement): boolean {
  return addressLike.test(account) && isHex(signature) && size(signature) <= longestSignature
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
