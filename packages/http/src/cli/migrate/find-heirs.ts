import { type ContractPair, readHeirPlan } from '@heirloom/adapters/internal/acts'
import type { MigratingToken } from '@heirloom/core'
import type { PublicClient } from 'viem'
import type { NamedHeir } from '../../server/migration/migration-journal.ts'

/** The number of accounts that are asked for at the same time. */
const atOnce = 16

/**
 * Returns the owners of tokens who have named an heir in a registry, with what they arranged.
 *
 * @throws `ledger/unavailable`
 */
export async function findHeirs(
  client: PublicClient,
  pair: ContractPair,
  tokens: readonly Pick<MigratingToken, 'owner'>[],
): Promise<readonly NamedHeir[]> {
  const owners = [...new Set(tokens.map(({ owner }) => owner))]
  const found: NamedHeir[] = []
  for (let first = 0; first < owners.length; first += atOnce) {
    const some = owners.slice(first, first + atOnce)
    const readings = await Promise.all(some.map((owner) => readHeirPlan(client, pair, owner)))
    for (const { plan } of readings) {
      if (plan === undefined) continue
      const { account, heir, silenceDays, noticeDays } = plan
      found.push({ account, heir, silenceDays, noticeDays })
    }
  }
  return found
}
