import type { CatalogueWorld } from '../harness.ts'
import { cardLaws } from './catalogue/cards.ts'
import { earningsLaws } from './catalogue/earnings.ts'
import { kinLaws } from './catalogue/history.ts'
import { catalogueListingLaws } from './catalogue/listings.ts'
import { searchLaws } from './catalogue/search.ts'
import { tokenLaws } from './catalogue/tokens.ts'
import type { Law } from './law.ts'

/** What every `Catalogue` keeps, seen beside the ledgers of the chain that it follows. */
export const catalogueLaws: readonly Law<CatalogueWorld>[] = [
  ...tokenLaws,
  ...catalogueListingLaws,
  ...kinLaws,
  ...cardLaws,
  ...searchLaws,
  ...earningsLaws,
]
