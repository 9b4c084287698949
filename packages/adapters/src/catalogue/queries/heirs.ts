import type { Account, Page, PageInput } from '@heirloom/core'
import type { Kysely } from 'kysely'
import { decodeAccount } from '../projection/stored-event.ts'
import type { Database } from '../schema.ts'
import { buildPage, decodeCursor, requireLimit } from './cursor.ts'
import type { QueryContext } from './select-tokens.ts'

type HeirsInput = PageInput & { readonly heir: Account }

const cursor = { kind: 'heir-of', key: /^(0|[1-9]\d{0,14})$/ }

/**
 * Reads a page of the accounts whose heir is an account, the last to name it first.
 *
 * @throws `request/malformed` for a cursor of another list
 */
export async function readHeirOf(
  { db, abortIfSlow }: QueryContext,
  { heir, ...page }: HeirsInput,
): Promise<Page<Account>> {
  requireLimit(page)
  const end = decodeCursor(page, cursor)
  const rows = await selectNamers(db, heir)
    .where((it) => abortIfSlow(it.ref('it.block')))
    .$if(end !== undefined, (query) => {
      const [block, logIndex] = end ?? ['0', 0]
      return query.where(({ or, and, eb }) =>
        or([
          eb('it.block', '<', Number(block)),
          and([eb('it.block', '=', Number(block)), eb('it.logIndex', '<', logIndex)]),
        ]),
      )
    })
    .orderBy('it.block', 'desc')
    .orderBy('it.logIndex', 'desc')
    .limit(page.limit + 1)
    .execute()
  return buildPage(rows, {
    limit: page.limit,
    kind: cursor.kind,
    endOf: ({ block, logIndex }) => [`${block}`, Number(logIndex)],
    decode: ({ account }) => decodeAccount(account),
  })
}

/** Selects the accounts whose last naming is of an heir. */
const selectNamers = (db: Kysely<Database>, heir: Account) =>
  db
    .selectFrom('heir as it')
    .select(['it.account', 'it.block', 'it.logIndex'])
    .where('it.heir', '=', heir.toLowerCase())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('heir as later')
            .select('later.account')
            .whereRef('later.account', '=', 'it.account')
            // A comparison of rows, which the primary key serves: an account may have named thousands.
            .where(({ refTuple, eb }) =>
              eb(
                refTuple('later.block', 'later.logIndex'),
                '>',
                refTuple('it.block', 'it.logIndex') as never,
              ),
            ),
        ),
      ),
    )
