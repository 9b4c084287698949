import type { Statement } from '@heirloom/core'
import { getAddress, type Hex, isHex, type PublicClient, size } from 'viem'
import { lruCache } from '../../platform/lru-cache.ts'
import { ask } from '../connection.ts'
import { longestSignature } from './contract-signature.ts'
import type { SignerOf } from './signer.ts'

const addressLike = /^0x[0-9a-fA-F]{40}$/

/** How long the signature of an account is, in bytes; a longer one is a contract's. */
const accountSignature = 65

/** The parts that recognise signatures. */
export type Recogniser = { readonly client: PublicClient; readonly signerOf: SignerOf }

/** How many recognised signatures are remembered: the last ones, and at most twice as many. */
const remembered = 16_384

/**
 * Returns a function that says whether an account signed a message (EIP-191); `undefined` where
 * only a contract can say. The account must be in its EIP-55 spelling. What was recognised is
 * remembered, for it never changes.
 *
 * @throws `ledger/unavailable`
 */
export function recogniser({
  client,
  signerOf,
}: Recogniser): (statement: Statement) => Promise<boolean | undefined> {
  const known = lruCache<Hex, Statement>(remembered)
  return async (statement) => {
    const { account, signature } = statement
    if (isSame(known.get(signature), statement)) return true
    if (!isReadable(statement)) return false
    if ((await signerOf(statement)) === account) {
      known.set(signature, statement)
      return true
    }
    return (await mayBeContract(client, statement)) ? undefined : false
  }
}

async function mayBeContract(
  client: PublicClient,
  { account, signature }: Statement,
): Promise<boolean> {
  if (getAddress(account) !== account) return false
  if (size(signature) !== accountSignature) return size(signature) > accountSignature
  return (await ask('eth_getCode', () => client.getCode({ address: account }))) !== undefined
}

function isSame(one: Statement | undefined, other: Statement): boolean {
  return one?.account === other.account && one.message === other.message
}

function isReadable({ account, signature }: Statement): boolean {
  return addressLike.test(account) && isHex(signature) && size(signature) <= longestSignature
}
