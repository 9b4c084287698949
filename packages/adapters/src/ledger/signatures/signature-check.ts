import type { SignedText, Statement } from '@heirloom/core'
import { getAddress, type Hex, isHex, type PublicClient, size } from 'viem'
import { lruCache } from '../../platform/lru-cache.ts'
import { callNode } from '../node-call.ts'
import { longestSignature } from './contract-signature-check.ts'
import type { SignerRecovery } from './signer-recovery.ts'

const addressPattern = /^0x[0-9a-fA-F]{40}$/

/** The size of an account's signature, in bytes; only a contract has longer ones. */
const accountSignatureSize = 65

/** The size of the cache of valid signatures, in entries. */
const cacheSize = 16_384

export declare namespace signatureCheck {
  type Parts = { readonly client: PublicClient; readonly signerRecovery: SignerRecovery }
}

/**
 * Returns a function that checks whether an account signed a message (EIP-191), or one of several. Its
 * result is `undefined` if only a contract can decide. The account must have its EIP-55 checksum. Valid
 * signatures are cached, since they stay valid.
 *
 * @throws `ledger/unavailable`
 */
export function signatureCheck({
  client,
  signerRecovery,
}: signatureCheck.Parts): (statement: SignedText) => Promise<boolean | undefined> {
  const validSignatures = lruCache<Hex, Statement>(cacheSize)
  const isSignedByKey = async (statements: readonly Statement[]) => {
    for (const statement of statements) {
      if ((await signerRecovery(statement)) !== statement.account) continue
      validSignatures.set(statement.signature, statement)
      return true
    }
    return false
  }
  return async ({ message: texts, ...signed }) => {
    const statements = [texts].flat().map((message) => ({ message, ...signed }))
    const known = validSignatures.get(signed.signature)
    if (statements.some((it) => isSame(known, it))) return true
    if (!isWellFormed(signed)) return false
    if (await isSignedByKey(statements)) return true
    return (await mayBeContract(client, signed)) ? undefined : false
  }
}

type Signature = Pick<Statement, 'account' | 'signature'>

async function mayBeContract(
  client: PublicClient,
  { account, signature }: Signature,
): Promise<boolean> {
  if (getAddress(account) !== account) return false
  if (size(signature) !== accountSignatureSize) return size(signature) > accountSignatureSize
  return (await callNode('eth_getCode', () => client.getCode({ address: account }))) !== undefined
}

function isSame(one: Statement | undefined, other: Statement): boolean {
  return one?.account === other.account && one.message === other.message
}

function isWellFormed({ account, signature }: Signature): boolean {
  return addressPattern.test(account) && isHex(signature) && size(signature) <= longestSignature
}
