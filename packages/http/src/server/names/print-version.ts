import {
  type Catalogue,
  type CataloguedToken,
  isFailure,
  type SavedVersion,
  sameAccount,
  storageUri,
  toSeconds,
} from '@heirloom/core'

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
