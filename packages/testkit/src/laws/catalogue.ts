import type { CatalogueHarness } from '../harness.ts'
import { activityLaws } from './catalogue/activity.ts'
import { cardLaws } from './catalogue/cards.ts'
import { catalogueDollarLaws } from './catalogue/dollars.ts'
import { earningsLaws } from './catalogue/earnings.ts'
import { facetLaws } from './catalogue/facets.ts'
import { catalogueHeirLaws } from './catalogue/heirs.ts'
import { historyLaws } from './catalogue/history.ts'
import { catalogueListingLaws } from './catalogue/listings.ts'
import { searchLaws } from './catalogue/search.ts'
import { tokenLaws } from './catalogue/tokens.ts'
import type { Law } from './law.ts'

/** The laws of every `Catalogue`, checked against the ledgers of the same chain. */
export const catalogueLaws: readonly Law<CatalogueHarness>[] = [
  ...tokenLaws,
  ...catalogueListingLaws,
  ...facetLaws,
  ...historyLaws,
  ...activityLaws,
  ...catalogueHeirLaws,
  ...cardLaws,
  ...searchLaws,
  ...catalogueDollarLaws,
  ...earningsLaws,
]
