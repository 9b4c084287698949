import {
  type Catalogue,
  type CataloguedToken,
  Failure,
  isFailure,
  type NameRecord as Named,
  type Names,
  name,
  type SavedVersion,
  sameAccount,
  storageUri,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import type { FastifyPluginAsync } from 'fastify'
import type { nameOperations } from '../../api/operations/names.ts'
import { pageInput, read } from '../../api/schemas/catalogue-queries.ts'
import type { NameOwners } from '../request/name-owners.ts'
import { type Handlers, serveOperations } from './serve-operation.ts'

export declare namespace namesPlugin {
  type Parts = {
    readonly names: Names
    readonly owners: NameOwners
    readonly catalogue?: Pick<Catalogue, 'token'> | undefined
  }
}

/** Registers the operations on private names, whose answers no cache keeps. */
export const namesPlugin =
  (parts: namesPlugin.Parts): FastifyPluginAsync =>
  async (app) => {
    app.addHook('onSend', async (_, reply) => {
      reply.header('cache-control', 'no-store')
    })
    serveOperations(app, nameHandlers(parts), { renameName: { config: { isBodySigned: true } } })
  }

type NameHandlers = Handlers<keyof typeof nameOperations>

function nameHandlers({ names, owners, catalogue }: namesPlugin.Parts): NameHandlers {
  const encode = async ({ name, last }: Named) => ({
    name,
    last: await printVersion(catalogue, last),
  })
  const requireName = async (of: Parameters<Names['find']>[0]) => {
    const found = await names.find(of)
    if (found === undefined) throw new Failure('name/not-found', { name: of.name })
    return encode(found)
  }
  return {
    names: async (request) => {
      const { owner } = await owners.ofRequest(request, 'read')
      const { items, next } = await names.list(owner, pageInput(request.query))
      return { items: await Promise.all(items.map(encode)), next: next ?? null }
    },
    findName: async (request) => {
      const { owner } = await owners.ofRequest(request, 'read')
      return requireName({ owner, name: name(request.params.name) })
    },
    versions: async (request) => {
      const { owner } = await owners.ofRequest(request, 'read')
      const of = { owner, name: name(request.params.name) }
      const { items, next } = await names.versions(of, pageInput(request.query))
      const versions = items.map((it) => printVersion(catalogue, it))
      return { items: await Promise.all(versions), next: next ?? null }
    },
    renameName: async (request) => {
      const { owner } = await owners.ofRequest(request, 'write')
      const to = name(request.body.name)
      await names.rename({ owner, name: name(request.params.name) }, to)
      return requireName({ owner, name: to })
    },
    forgetName: async (request) => {
      const { owner } = await owners.ofRequest(request, 'write')
      const last = read(tokenId, request.query.after)
      await names.forget({ owner, name: name(request.params.name) }, last)
      return null
    },
  }
}

/** Returns a version as the API shows it, with the present owner of its token. */
async function printVersion(
  catalogue: Pick<Catalogue, 'token'> | undefined,
  { digest, creator: _creator, recipient, txHash, ...version }: SavedVersion,
) {
  const token = await readToken(catalogue, version)
  return {
    ...version,
    tokenId: `${version.tokenId}`,
    storageUri: storageUri(digest),
    txHash: txHash ?? null,
    owner: token?.owner ?? null,
    erasedAt: token?.erasedAt === undefined ? null : `${toSeconds(token.erasedAt)}`,
    isTransferred: token !== undefined && !sameAccount(token.owner, recipient),
  }
}

/** Reads the token of a version; the log of a name is there while the catalogue is not. */
async function readToken(
  catalogue: Pick<Catalogue, 'token'> | undefined,
  { tokenId, contentHash }: Pick<SavedVersion, 'tokenId' | 'contentHash'>,
): Promise<CataloguedToken | undefined> {
  const token = await catalogue?.token(tokenId).catch((error: unknown) => {
    if (isFailure(error)) return undefined
    throw error
  })
  // After a deep reorganisation another token may have its number.
  return token?.contentHash === contentHash ? token : undefined
}
