import { mostTitledTokens } from '../../../src/api/bounds.ts'
import type { Titles } from '../../../src/client/responses.ts'
import { addressOf } from './address-of.ts'
import { batchReads } from './batch-reads.ts'
import { getJson } from './get-json.ts'

/** The name of a memory that shows no title. */
export const untitled = 'Untitled memory'

const titles = batchReads({
  most: mostTitledTokens,
  read: async (tokenIds) => {
    const path = addressOf('titles', { tokenIds: tokenIds.join() })
    return (await getJson<Titles>(path)).items.map(({ title }) => title ?? untitled)
  },
})

/** Returns what a token is called, once it is known. */
export const useTokenTitle = titles.useValue
