import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Account, Catalogue, HeirPlan, Instant } from '@heirloom/core'
import { readAddress } from '../../api/address.ts'
import { querySchema } from '../../api/catalogue-queries.ts'
import { AccountParams } from '../../api/catalogue-schemas.ts'
import { encodeHeir } from '../../api/encode-heir.ts'
import { HeirRecord, mostNamed } from '../../api/heir-schemas.ts'
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
    'An account names an heir by itself, with its own wallet: docs/guides/heirs.md. Read from the chain; only `heirOf` is read from the catalogue.',
  params: AccountParams,
  querystring: querySchema({}),
  response: {
    200: HeirRecord,
    ...problemResponses([...anyCatalogueRead, ...anyRead, 'value/invalid']),
  },
}

/** `GET /api/accounts/:address/heir` */
export const heirRoute =
  (readHeir: ReadHeir, catalogue?: Pick<Catalogue, 'heirOf'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/accounts/:address/heir', { schema }, async ({ params }) => {
      const account = readAddress(params.address)
      const { plan, now } = await readHeir(account)
      const heirOf = await catalogue?.heirOf(account, mostNamed)
      return { ...encodeHeir(account, plan, now), ...(heirOf && { heirOf: [...heirOf] }) }
    })
  }
