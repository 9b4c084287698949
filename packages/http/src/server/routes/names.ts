import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type Catalogue,
  Failure,
  type NameRecord as Named,
  type Names,
  name,
  tokenId,
} from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { PageParameters, pageInput, querySchema } from '../../api/catalogue-queries.ts'
import { pageRecord } from '../../api/catalogue-schemas.ts'
import {
  ForgetAfter,
  NameParams,
  NameRecord,
  RenameBody,
  VersionRecord,
} from '../../api/name-schemas.ts'
import { anyBody, anyRead, problemResponses } from '../../api/problem-responses.ts'
import type { NameOwners } from '../names/name-owners.ts'
import { printVersion } from '../names/print-version.ts'

const anyNamesCall = [
  ...anyRead,
  'api-key/out-of-scope',
  'name/malformed',
  'name/no-owner',
  'name/unavailable',
  'proof/malformed',
  'proof/missing',
  'proof/not-signed',
  'proof/stale',
  'request/not-authorized',
  'seal/not-offered',
  'service/busy',
] as const

const proven =
  'An account proves itself by the headers `x-wallet-address`, `x-timestamp` and `x-signature`; docs/versions.md has the text that it signs.'

const common = { tags: ['names'], security: [{}, { apiKey: [] }] }

const listSchema = {
  ...{ ...common, operationId: 'names', querystring: PageParameters },
  summary: 'Read your private names',
  description: `Returns the names of the API key, tenant or account with their last versions. ${proven}`,
  response: { 200: pageRecord(NameRecord, 'Names.'), ...problemResponses(anyNamesCall) },
}

const oneName = { ...common, params: NameParams }

const findSchema = {
  ...{ ...oneName, operationId: 'findName', querystring: querySchema({}) },
  summary: 'Read the last version of a name',
  description: `Returns the last version of a name; its slashes are written %2F. ${proven}`,
  response: { 200: NameRecord, ...problemResponses([...anyNamesCall, 'name/not-found']) },
}

const versionsSchema = {
  ...{ ...oneName, operationId: 'versions', querystring: PageParameters },
  summary: 'Read the versions of a name',
  description: `Returns who saved what when, the newest first. ${proven}`,
  response: {
    200: pageRecord(VersionRecord, 'Versions.'),
    ...problemResponses([...anyNamesCall, 'name/not-found']),
  },
}

const changing = ['name/held', 'name/not-found', 'request/foreign-origin'] as const

const renameSchema = {
  ...{ ...oneName, operationId: 'renameName', querystring: querySchema({}), body: RenameBody },
  summary: 'Rename a name',
  description: `Gives a name and all its versions another one; 409 where that has versions. ${proven}`,
  response: {
    200: NameRecord,
    ...problemResponses([...anyNamesCall, ...anyBody, ...changing, 'name/taken']),
  },
}

const forgetSchema = {
  ...{ ...oneName, operationId: 'forgetName', querystring: querySchema({ after: ForgetAfter }) },
  summary: 'Forget a name',
  description: 'Forgets a name and the list of its versions. Their tokens and memories stay.',
  response: {
    204: Type.Null({ description: 'The name is forgotten.' }),
    ...problemResponses([...anyNamesCall, ...changing, 'name/moved']),
  },
}

export declare namespace namesRoute {
  type Parts = {
    readonly names: Names
    readonly owners: NameOwners
    readonly catalogue?: Pick<Catalogue, 'token'> | undefined
  }
}

/** `GET /api/names`, `GET`, `PATCH` and `DELETE /api/names/:name`, `GET /api/names/:name/versions` */
export const namesRoute =
  ({ names, owners, catalogue }: namesRoute.Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onSend', async (_, reply) => {
      reply.header('cache-control', 'no-store')
    })
    const print = async ({ name, last }: Named) => ({
      name,
      last: await printVersion(catalogue, last),
    })
    const requireName = async (of: Parameters<Names['find']>[0]) => {
      const found = await names.find(of)
      if (found === undefined) throw new Failure('name/not-found', { name: of.name })
      return print(found)
    }
    app.get('/api/names', { schema: listSchema }, async (request) => {
      const { owner } = await owners.ofRequest(request, 'read')
      const { items, next } = await names.list(owner, pageInput(request.query))
      return { items: await Promise.all(items.map(print)), next: next ?? null }
    })
    app.get('/api/names/:name', { schema: findSchema }, async (request) => {
      const { owner } = await owners.ofRequest(request, 'read')
      return requireName({ owner, name: name(request.params.name) })
    })
    app.get('/api/names/:name/versions', { schema: versionsSchema }, async (request) => {
      const { owner } = await owners.ofRequest(request, 'read')
      const of = { owner, name: name(request.params.name) }
      const { items, next } = await names.versions(of, pageInput(request.query))
      const versions = items.map((it) => printVersion(catalogue, it))
      return { items: await Promise.all(versions), next: next ?? null }
    })
    const isSigned = { config: { isBodySigned: true } }
    app.patch('/api/names/:name', { schema: renameSchema, ...isSigned }, async (request) => {
      const { owner } = await owners.ofRequest(request, 'write')
      const to = name(request.body.name)
      await names.rename({ owner, name: name(request.params.name) }, to)
      return requireName({ owner, name: to })
    })
    app.delete('/api/names/:name', { schema: forgetSchema }, async (request, reply) => {
      const { owner } = await owners.ofRequest(request, 'write')
      const { after } = request.query
      const last = after === undefined ? undefined : tokenId(after)
      await names.forget({ owner, name: name(request.params.name) }, last)
      return reply.code(204).send(null)
    })
  }
