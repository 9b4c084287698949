import {
  Failure,
  type JsonMembers,
  type Name,
  name,
  salt,
  type snapshot,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { readAddress } from '../../api/address.ts'
import type { SnapshotBody } from '../../api/schemas/memory-schemas.ts'

type Request = Pick<FastifyRequest, 'receivedBody'> & { readonly body: Static<typeof SnapshotBody> }

/**
 * Reads what a request wants to be sealed, with the exact bytes that arrived, which are handed over.
 *
 * @throws `value/invalid`
 */
export function readSnapshot({ body, receivedBody }: Request): snapshot.Input {
  const { card, parentTokenId, recipient, salt: text } = body
  const bundle: JsonMembers = receivedBody?.members ?? new Map()
  return {
    bundle,
    card,
    parent: readParent(parentTokenId),
    isHandedOver: true,
    recipient: recipient === undefined ? undefined : readAddress(recipient),
    salt: text === undefined ? undefined : salt(text),
  }
}

/**
 * Reads the parent of a new token; absent or `0` for a root.
 *
 * @throws `value/invalid`
 */
function readParent(text = '0'): TokenId | undefined {
  const parent = tokenId(text)
  return parent === 0n ? undefined : parent
}

/** The name that a request saves to, and the version that it believes to be the last. */
export type NamedSave = { readonly name: Name; readonly after: TokenId | undefined }

type Body = { readonly name?: string; readonly after?: string; readonly accept?: boolean }

/**
 * Reads whether the version before is accepted, which must be one that the caller has read.
 *
 * @throws `request/malformed`
 */
export function readAcceptance({ name, after, accept = false }: Body): boolean {
  if (!accept || name === undefined || after !== undefined) return accept
  const problem = 'accepts the version before it, but does not name the one that was read in after'
  throw new Failure('request/malformed', { where: 'body', problem })
}

/**
 * Reads the name that a body saves to; `undefined` for one that is saved to none.
 *
 * @throws `name/malformed`, `request/malformed`, `value/invalid`
 */
export function readSave({ name: text, after }: Body): NamedSave | undefined {
  if (text !== undefined) {
    return { name: name(text), after: after === undefined ? undefined : tokenId(after) }
  }
  if (after === undefined) return undefined
  const problem = 'has a version to save after, but no name'
  throw new Failure('request/malformed', { where: 'body', problem })
}
