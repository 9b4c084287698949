import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Catalogue, hash, type TokensQuery, tokenId } from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import { readAddress } from '../../api/address.ts'
import { pageInput, read, TokensParameters } from '../../api/catalogue-queries.ts'
import { pageRecord, TokenRecord } from '../../api/catalogue-schemas.ts'
import { anyCatalogueRead, problemResponses } from '../../api/problem-responses.ts'
import { printToken } from '../printing/print-token.ts'

const schema = {
  operationId: 'tokens',
  tags: ['memory'],
  summary: 'Find memories',
  description: 'Returns the tokens that match every parameter, newest first.',
  querystring: TokensParameters,
  response: {
    200: pageRecord(TokenRecord, 'Tokens.'),
    ...problemResponses([...anyCatalogueRead, 'value/invalid']),
  },
}

/** `GET /api/memory` */
export const tokensRoute =
  ({ tokens }: Pick<Catalogue, 'tokens'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/memory', { schema }, async ({ query }) => {
      const { items, next } = await tokens(queryFrom(query))
      return { items: items.map(printToken), next: next ?? null }
    })
  }

type Parameters = Static<typeof TokensParameters>

function queryFrom(it: Parameters): TokensQuery {
  const { search, category, tag } = it
  return {
    ...pageInput(it),
    ...{ search, category, tag },
    owner: read(readAddress, it.owner),
    creator: read(readAddress, it.creator),
    parent: read(tokenId, it.parent),
    contentHash: read(hash, it.contentHash),
    renter: read(readAddress, it.renter),
  }
}
