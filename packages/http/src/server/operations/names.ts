import {
  type Catalogue,
  type CataloguedToken,
  Failure,
  forgetGranted,
  isFailure,
  type NameRecord as Named,
  type NameEnds,
  type Names,
  name,
  renameGranted,
  type SavedVersion,
  sameAccount,
  storageUri,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { nameOperations } from '../../api/operations/names.ts'
import { pageInput, read } from '../../api/schemas/catalogue-queries.ts'
import type { Scope } from '../api-keys/key-ring.ts'
import { findLine, listLines } from '../request/name-lines.ts'
import type { NameOwners } from '../request/name-owners.ts'
import { type Handlers, serveOperations } from './serve-operation.ts'

export declare namespace namesPlugin {
  type Parts = {
    readonly names: Names
    readonly owners: NameOwners
    /** Holds the grants of names, which end with them. */
    readonly granting: Pick<NameEnds, 'grants' | 'clock'>
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

function nameHandlers({ names, owners, catalogue, granting }: namesPlugin.Parts): NameHandlers {
  const ends = { ...granting, names }
  const encode = async ({ name, last }: Named) => ({
    name,
    last: await printVersion(catalogue, last),
  })
  const lineOf = async (
    request: FastifyRequest & { readonly params: { readonly name: string } },
    needed: Scope,
  ) => {
    const { worlds } = await owners.ofRequest(request, needed)
    const text = name(request.params.name)
    const found = await findLine(names, worlds, text)
    if (found === undefined) throw new Failure('name/not-found', { name: text })
    return found
  }
  return {
    names: async (request) => {
      const { worlds } = await owners.ofRequest(request, 'read')
      const { items, next } = await listLines(names, worlds, pageInput(request.query))
      return { items: await Promise.all(items.map(encode)), next: next ?? null }
    },
    findName: async (request) => encode(await lineOf(request, 'read')),
    versions: async (request) => {
      const of = await lineOf(request, 'read')
      const { items, next } = await names.versions(of, pageInput(request.query))
      const versions = items.map((it) => printVersion(catalogue, it))
      return { items: await Promise.all(versions), next: next ?? null }
    },
    renameName: async (request) => {
      const to = name(request.body.name)
      const line = await lineOf(request, 'write')
      const endedGrants = await renameGranted(ends, line, to)
      const renamed = await names.find({ owner: line.owner, name: to })
      if (renamed === undefined) throw new Failure('name/not-found', { name: to })
      return { ...(await encode(renamed)), ...(endedGrants > 0 && { endedGrants }) }
    },
    forgetName: async (request, reply) => {
      const last = read(tokenId, request.query.after)
      const endedGrants = await forgetGranted(ends, await lineOf(request, 'write'), last)
      return endedGrants === 0 ? reply.code(204).send() : { endedGrants }
    },
  }
}

/** Returns a version as the API shows it, with the present owner of its token. */
export async function printVersion(
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
