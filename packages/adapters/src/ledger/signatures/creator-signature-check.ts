import { Failure, type Ledger, type Statement } from '@heirloom/core'
import type { PublicClient } from 'viem'
import type { Keccak } from '../../platform/keccak.ts'
import { callNode } from '../node-call.ts'
import { contractSignatureCheck, strangersQueue } from './contract-signature-check.ts'

export declare namespace creatorSignatureCheck {
  type Parts = {
    readonly client: PublicClient
    readonly keccak: Keccak
    readonly isLocal: boolean
    /** Checks the key of an account; `undefined` if only a contract can decide. */
    readonly isSignedByKey: (statement: Statement) => Promise<boolean | undefined>
    /** Asks the contract of an account that has a right to a token. */
    readonly isSignedByContract: (statement: Statement) => Promise<boolean>
  }
}

/**
 * Returns a function that checks whether a creator signed a message. An account with code is checked
 * by that code even if its key signed (EIP-7702): an account that can make the code act can mint through it.
 *
 * @throws `ledger/unavailable`, `service/busy`
 */
export function creatorSignatureCheck({
  client,
  keccak,
  isLocal,
  isSignedByKey,
  isSignedByContract,
}: creatorSignatureCheck.Parts): Ledger['isSignedByCreator'] {
  const isSignedByStranger = contractSignatureCheck({
    client,
    keccak,
    queue: strangersQueue(isLocal),
  })
  return async (statement, rank) => {
    const isSigned = await isSignedByKey(statement)
    if (isSigned === false) return false
    if (isSigned && !(await hasCode(client, statement))) return true
    return rank === 'owner' ? isSignedByContract(statement) : isSignedByStranger(statement)
  }
}

/**
 * Returns a check whose no to an owner is that of two nodes: one answer of a node ends nothing for good.
 *
 * @throws `ledger/unavailable` where they contradict each other
 */
export const checkedTwice =
  (
    check: Ledger['isSignedByCreator'],
    elsewhere: Ledger['isSignedByCreator'],
  ): Ledger['isSignedByCreator'] =>
  async (statement, rank) => {
    if (await check(statement, rank)) return true
    if (rank === 'owner' && (await elsewhere(statement, rank))) {
      throw new Failure('ledger/unavailable', { operation: 'isValidSignature' })
    }
    return false
  }

async function hasCode(client: PublicClient, { account }: Statement): Promise<boolean> {
  const code = await callNode('eth_getCode', () => client.getCode({ address: account }))
  return code !== undefined
}
