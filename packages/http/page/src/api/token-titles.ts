import { mostTitledTokens } from '../../../src/api/most-titled-tokens.ts'
import type { Titles } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { batchReads } from './batch-reads.ts'
import { getJson } from './get-json.ts'

const titles = batchReads({
  most: mostTitledTokens,
  read: async (tokenIds) => {
    const path = withQuery('/api/titles', { tokenIds: tokenIds.join() })
    return (await getJson<Titles>(path)).items.map(({ title }) => title)
  },
})

/** Returns the title of a token, once it is known and where it shows one. */
export const useTokenTitle = titles.useValue
