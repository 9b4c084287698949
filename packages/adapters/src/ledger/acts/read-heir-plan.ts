import {
  type Account,
  account,
  fromSeconds,
  type HeirPlan,
  type Instant,
  nobody,
} from '@heirloom/core'
import { checksumAddress, type PublicClient } from 'viem'
import type { ContractPair } from '../contract-pair.ts'
import { memoryRegistryAbi } from '../contracts.generated.ts'
import { callNode } from '../node-call.ts'
import { viewOf } from '../view.ts'

/** The plan of an account; `undefined` where it has named no heir. */
export type HeirReading = {
  readonly plan: HeirPlan | undefined
  /** The time of the newest block. A chain without traffic has an old one. */
  readonly asOf: Instant
}

/**
 * Reads whom an account has named as its heir.
 *
 * @throws `ledger/unavailable`
 */
export async function readHeirPlan(
  client: PublicClient,
  { registry: address }: Pick<ContractPair, 'registry'>,
  of: Account,
): Promise<HeirReading> {
  const heirOf = viewOf(client, { address, abi: memoryRegistryAbi, name: 'heirOf' })
  const [words, { timestamp }] = await callNode('heirOf', () =>
    Promise.all([heirOf([of]), client.getBlock()]),
  )
  const asOf = timeOf(timestamp)
  const heir = account(checksumAddress(`0x${words(0).slice(26)}`))
  if (heir === nobody) return { plan: undefined, asOf }
  const announcedAt = BigInt(words(4))
  const plan: HeirPlan = {
    account: of,
    heir,
    silenceDays: Number(words(1)),
    noticeDays: Number(words(2)),
    lastSign: timeOf(BigInt(words(3))),
    announcedAt: announcedAt === 0n ? undefined : timeOf(announcedAt),
  }
  return { plan, asOf }
}

const timeOf = (seconds: bigint): Instant => fromSeconds(Number(seconds))
