import { isNameMissing } from '../client/name-calls.ts'
import type { PageQuery } from '../client/requests.ts'
import type { Minted, NamedVersion, NamedVersions } from '../client/responses.ts'

/** The reads of a name, and of a memory of its account. */
type Reads = {
  readonly versions: (page: PageQuery) => Promise<Pick<NamedVersions, 'items'>>
  readonly download: (tokenId: string) => Promise<{ readonly document: Uint8Array }>
}

type Saved = {
  readonly document: Uint8Array | string
  /** The token that the save comes after; whatever is the last one when absent. */
  readonly after?: string | undefined
}

/**
 * Returns the last version of a name as the result of a save that changes nothing, if it has the bytes
 * of the document and opens for its account still; `undefined` where the document is to be saved. For
 * an own wallet, which believes no server that says so.
 */
export async function findSame(reads: Reads, saved: Saved): Promise<Minted | undefined> {
  const { versions, download } = reads
  const document = typeof saved.document === 'string' ? encode(saved.document) : saved.document
  const [last] = (await versions({ limit: 1 }).catch(none)).items
  if (last === undefined || last.documentBytes !== document.length) return undefined
  const isOther = saved.after !== undefined && saved.after !== last.tokenId
  if (isOther || last.isTransferred || last.erasedAt !== null) return undefined
  const memory = await download(last.tokenId).catch(() => undefined)
  const isSame = memory?.document.every((byte, at) => byte === document[at]) === true
  return isSame ? unchanged(last) : undefined
}

const encode = (text: string) => new TextEncoder().encode(text)

/** Returns a version as the result of a save that changes nothing. */
export function unchanged({ savedAt: timestamp, txHash, ...last }: NamedVersion): Minted {
  const { tokenId, contentHash, storageUri, version } = last
  const place = { tokenId, contentHash, storageUri, txHash: txHash ?? '0x' }
  return { ...place, timestamp, version, unchanged: true }
}

function none(error: unknown): { readonly items: readonly NamedVersion[] } {
  if (isNameMissing(error)) return { items: [] }
  throw error
}
