import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { EnsNames } from '@heirloom/adapters/internal/ens'
import { readAddress } from '../../api/address.ts'
import {
  EnsAccountRecord,
  EnsNameParams,
  EnsNamesQuery,
  EnsNamesRecord,
} from '../../api/ens-schemas.ts'
import { mostEnsAccounts } from '../../api/most-ens-accounts.ts'
import { anyRead, problemResponses } from '../../api/problem-responses.ts'
import { inFlight } from '../bounds/in-flight.ts'
import { clientOf } from '../request/client-of.ts'

/** Each account takes up to four requests to the node. */
const limits = { max: 4 * mostEnsAccounts, maxPerClient: 2 * mostEnsAccounts, what: 'ENS names' }

const refusals = problemResponses([...anyRead, 'service/busy', 'value/invalid'])

const namesSchema = {
  operationId: 'ensNames',
  tags: ['marketplace'],
  summary: 'Read the ENS names of accounts',
  description:
    'Only where the chain has ENS (`hasEns` of the deployment). A name may be five minutes old. Names that are resolved outside of the chain (ERC-3668) are not read.',
  querystring: EnsNamesQuery,
  response: { 200: EnsNamesRecord, ...refusals },
}

const accountSchema = {
  operationId: 'ensAccount',
  tags: ['marketplace'],
  summary: 'Read which account an ENS name leads to',
  description: 'Only where the chain has ENS. The answer is that of the chain now.',
  params: EnsNameParams,
  response: { 200: EnsAccountRecord, ...refusals },
}

/** `GET /api/ens/names` and `GET /api/ens/accounts/:name` */
export const ensRoutes =
  (names: EnsNames): FastifyPluginAsyncTypebox =>
  async (app) => {
    const flight = inFlight(limits)
    app.get('/api/ens/names', { schema: namesSchema }, async (request) => {
      const accounts = request.query.accounts.split(',').map(readAddress)
      const leave = flight.enter(clientOf(request), accounts.length)
      try {
        const nameOf = async (account: (typeof accounts)[0]) => {
          const name = await names.nameOf(account)
          return { account, name: name ?? null }
        }
        return { items: await Promise.all(accounts.map(nameOf)) }
      } finally {
        leave()
      }
    })
    app.get('/api/ens/accounts/:name', { schema: accountSchema }, async (request) => {
      const { name } = request.params
      const leave = flight.enter(clientOf(request), 1)
      try {
        return (await names.find(name)) ?? { name, account: null }
      } finally {
        leave()
      }
    })
  }
