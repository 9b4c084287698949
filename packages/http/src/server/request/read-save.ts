import { Failure, type Name, name, type TokenId, tokenId } from '@heirloom/core'

/** The name that a request saves to, and the version that it believes to be the last. */
export type NamedSave = { readonly name: Name; readonly after: TokenId | undefined }

type Body = { readonly name?: string; readonly after?: string }

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
