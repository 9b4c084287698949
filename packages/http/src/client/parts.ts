import type { Hex } from '@heirloom/core'
import { accessHeaders, type Prover } from './access-proof.ts'
import type {
  OutlineQuery,
  PageQuery,
  SearchInQuery,
  SelectInQuery,
  TokenIdInput,
} from './requests.ts'
import type { FoundInMemory, MemoryOutline, Opening, Page, SelectedInMemory } from './responses.ts'
import { badResponse, decodeResponse, mostOfMemory } from './transport/decode-response.ts'
import { encodeTokenId, memoryLine, requestLine } from './transport/request-line.ts'
import type { CallOptions, Transport } from './transport/transport.ts'
import { withQuery } from './transport/with-query.ts'

/** One value of a memory; `Value` is what the caller says of its shape, which nothing checks. */
export type MemoryPart<Value = unknown> = {
  /** The id of the token, a decimal string. */
  readonly tokenId: string
  /** The JSON Pointer of the value. */
  readonly pointer: string
  /** The parsed value. */
  readonly value: Value
  /** The exact bytes of its JSON text, in UTF-8. */
  readonly text: Uint8Array<ArrayBuffer>
  /** The digest of the sealed bundle on the chain: 0x and 64 hex digits. */
  readonly digest: Hex
  /** The proof that the server verified it by; only a whole download verifies the content hash. */
  readonly verifiedBy: 'digest'
}

/** The calls that read inside a memory, with a signature of the account. */
export type Parts = {
  /** Describes what is in a memory: types, sizes and counts, without the values. */
  readonly outline: (
    tokenId: TokenIdInput,
    query?: OutlineQuery,
    options?: CallOptions,
  ) => Promise<MemoryOutline>
  /** Reads the value at a JSON Pointer (RFC 6901), such as `/data/notes/3`. */
  readonly part: <Value = unknown>(
    tokenId: TokenIdInput,
    pointer: string,
    options?: CallOptions,
  ) => Promise<MemoryPart<Value>>
  /**
   * Selects values by a JSONPath (RFC 9535), such as `$.data.notes[-3:]`: the exact text of each, in
   * the order of the memory. There may be a `next` without any match.
   */
  readonly selectIn: (
    tokenId: TokenIdInput,
    path: string,
    query?: SelectInQuery,
    options?: CallOptions,
  ) => Promise<SelectedInMemory>
  /** Finds a text in the names and string values of a memory, whatever its case. */
  readonly searchIn: (
    tokenId: TokenIdInput,
    text: string,
    query?: SearchInQuery,
    options?: CallOptions,
  ) => Promise<FoundInMemory>
  /**
   * Returns who opened the memory of a token while the account owned it, the newest first; without an
   * account, while the wallet of the server or of the tenant did.
   */
  readonly openings: (
    tokenId: TokenIdInput,
    page?: PageQuery,
    options?: CallOptions,
  ) => Promise<Page<Opening>>
}

/** Creates the calls that read inside a memory. */
export function createParts({ transport, ...prover }: Prover & { transport: Transport }): Parts {
  const get = async (
    name: 'outline' | 'part' | 'searchIn' | 'openings',
    id: TokenIdInput,
    addQuery: (path: string) => string,
    options: CallOptions = {},
  ) => {
    // No grant shows who else opened a memory.
    const { method, path } =
      name === 'openings' ? requestLine(name, id) : memoryLine(name, id, prover.grant)
    const call = { method, path: addQuery(path), options }
    const isByKey = name === 'openings' && prover.account === undefined
    const headers = isByKey ? () => ({}) : accessHeaders(prover, encodeTokenId(id))
    return transport.send({ ...call, headers, most: mostOfMemory })
  }
  return {
    outline: async (id, query, options) =>
      decodeResponse(await get('outline', id, (path) => withQuery(path, query), options)),
    part: async <Value>(id: TokenIdInput, pointer: string, options?: CallOptions) => {
      // An empty pointer is that of the whole document.
      const addPointer = (path: string) => `${path}?${new URLSearchParams({ pointer })}`
      const { headers, bytes, status } = await get('part', id, addPointer, options)
      const digest = (headers.get('x-sealed-digest') ?? '') as Hex
      if (headers.get('x-verified-by') !== 'digest') throw badResponse('it is no part', { status })
      const value: Value = JSON.parse(new TextDecoder().decode(bytes))
      const tokenId = encodeTokenId(id)
      return { tokenId, pointer, value, text: bytes, digest, verifiedBy: 'digest' }
    },
    selectIn: async (id, path, query, options) =>
      decodeResponse(await get('part', id, (it) => withQuery(it, { path, ...query }), options)),
    searchIn: async (id, text, query, options) =>
      decodeResponse(
        await get('searchIn', id, (path) => withQuery(path, { q: text, ...query }), options),
      ),
    openings: async (id, page, options) =>
      decodeResponse(await get('openings', id, (path) => withQuery(path, page), options)),
  }
}

/** A page of matches; one without any may have a `next`, because a request looks at a few MiB. */
type Matches = Partial<Pick<FoundInMemory, 'misspelt' | 'isTooLarge'>> & {
  readonly matches: readonly unknown[]
  readonly next?: string | undefined
}

/** The most requests by default: more than the largest memory needs. */
const mostRequests = 1000

/**
 * Goes on with a search inside a memory until there are matches, its end, or so many requests.
 *
 * @throws `client/bad-answer` where the server names a cursor again
 */
export async function firstMatches<Found extends Matches>(
  search: (after: string | undefined) => Promise<Found>,
  { after, requests = mostRequests }: firstMatches.Options = {},
): Promise<Found> {
  const seen = new Set([after])
  let found = await search(after)
  // Only the first page says these.
  const { misspelt, isTooLarge } = found
  for (let sent = 1; sent < requests; sent++) {
    if (found.matches.length > 0 || found.next === undefined) break
    if (seen.has(found.next)) throw badResponse('it leads back to an earlier one')
    seen.add(found.next)
    found = await search(found.next)
  }
  return { ...found, ...(misspelt && { misspelt }), ...(isTooLarge && { isTooLarge }) }
}

export declare namespace firstMatches {
  type Options = {
    /** The cursor of the next page. */
    readonly after?: string | undefined
    readonly requests?: number
  }
}
