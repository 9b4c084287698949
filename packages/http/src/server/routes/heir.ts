import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Account, Catalogue, HeirPlan, Instant } from '@heirloom/core'
import { readAddress } from '../../api/address.ts'
import { pageInput, pageQuery, querySchema } from '../../api/catalogue-queries.ts'
import { AccountParams } from '../../api/catalogue-schemas.ts'
import { encodeHeir } from '../../api/encode-heir.ts'
import { HeirRecord } from '../../api/heir-schemas.ts'
import { anyCatalogueRead, anyRead, problemResponses } from '../../api/problem-responses.ts'

/** Reads what an account has arranged for its tokens, and the time. @throws `ledger/unavailable` */
export type ReadHeir = (
  account: Account,
) => Promise<{ readonly plan: HeirPlan | undefined; readonly now: Instant }>

const schema = {
  operationId: 'heir',
  tags: ['marketplace'],
  summary: 'Read who takes over the tokens of an account, and whose heir it is',
  description:
    'An account names an heir by itself, with its own wallet: docs/guides/heirs.md. Read from the chain; only `heirOf` is read from the catalogue, page by page.',
  params: AccountParams,
  querystring: querySchema(pageQuery),
  response: {
    200: HeirRecord,
    ...problemResponses([...anyCatalogueRead, ...anyRead, 'value/invalid']),
  },
}

/** `GET /api/accounts/:address/heir` */
export const heirRoute =
  (readHeir: ReadHeir, catalogue?: Pick<Catalogue, 'heirOf'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/accounts/:address/heir', { schema }, async ({ params, query }) => {
      const account = readAddress(params.address)
      const { plan, now } = await readHeir(account)
      const record = encodeHeir(account, plan, now)
      const named = await catalogue?.heirOf(account, pageInput(query))
      return named ? { ...record, heirOf: [...named.items], next: named.next ?? null } : record
    })
  }
