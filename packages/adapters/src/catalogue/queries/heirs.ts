import type { Account } from '@heirloom/core'
import type { Kysely } from 'kysely'
import { decodeAccount } from '../projection/stored-event.ts'
import type { Database } from '../schema.ts'

/** Reads the accounts whose heir is an account, the last to name it first. */
export async function readHeirOf(
  db: Kysely<Database>,
  heir: Account,
  limit: number,
): Promise<readonly Account[]> {
  const rows = await db
    .selectFrom('heir as it')
    .select('it.account')
    .where('it.heir', '=', heir.toLowerCase())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('heir as later')
            .select('later.account')
            .whereRef('later.account', '=', 'it.account')
            .where(({ or, and, eb }) =>
              or([
                eb('later.block', '>', eb.ref('it.block')),
                and([
                  eb('later.block', '=', eb.ref('it.block')),
                  eb('later.logIndex', '>', eb.ref('it.logIndex')),
                ]),
              ]),
            ),
        ),
      ),
    )
    .orderBy('it.block', 'desc')
    .orderBy('it.logIndex', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ account }) => decodeAccount(account))
}
