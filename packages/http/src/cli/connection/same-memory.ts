import type { Client } from '../../client/client.ts'
import { readPages } from '../../client/read-pages.ts'
import type { Token } from '../../client/responses.ts'

/** The tokens of one page. */
const limit = 100

/**
 * Returns the ids of the other tokens of the same owner that open the memory of a token, and lose it when
 * it is erased. A copy opens nothing.
 *
 * @throws `client/bad-answer` for a list without an end
 */
export async function sameMemory(
  client: Client,
  token: Token,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { contentHash, owner } = token
  const all = await readPages((after) =>
    client.memories({ contentHash, owner, limit, after }, { signal }),
  )
  const others = all.filter((it) => opensSame(it, token))
  return others.map(({ tokenId }) => tokenId).toReversed()
}

const opensSame = (one: Token, other: Token): boolean =>
  one.tokenId !== other.tokenId &&
  one.originality !== 'copied' &&
  one.storageUri === other.storageUri &&
  makerOf(one) === makerOf(other)

const makerOf = ({ source, creator }: Token): string => (source?.creator ?? creator).toLowerCase()
