import {
  type Account,
  type CataloguedToken,
  type Licence,
  type Lineage,
  sharesOf,
  type TokenId,
  type Wei,
  wei,
} from '@heirloom/core'

/** Who would receive how much of a price, and for which ancestor. */
export type WorkedSplit = {
  readonly price: Wei
  readonly royalties: readonly {
    readonly to: Account
    readonly amount: Wei
    readonly tokenId: TokenId
  }[]
  /** What is left for the seller. */
  readonly rest: Wei
}

const ether = wei(10n ** 18n)

/** Splits a price of a token: the given one, or its own when it is for sale, or else 1 ether. */
export function workedSplit({ token, ancestors }: Lineage, given: Wei | undefined): WorkedSplit {
  const own = token.terms.price > 0n ? token.terms.price : ether
  const price = given ?? own
  const licences = licencesOf([token, ...ancestors.map((it) => it.token)])
  const shares = sharesOf(price, licences)
  const royalties = shares.flatMap((amount, generation) => {
    const ancestor = ancestors[generation]?.token
    if (ancestor === undefined || amount === 0n) return []
    return [{ to: ancestor.creator, amount, tokenId: ancestor.tokenId }]
  })
  const rest = wei(shares.reduce((left, amount) => left - amount, price as bigint))
  return { price, royalties, rest }
}

// Each licensed fork of the line owes to its parent; a parent that is only declared ends it.
function licencesOf([token, ...ancestors]: readonly CataloguedToken[]): readonly Licence[] {
  const licences: Licence[] = []
  let child = token
  for (const parent of ancestors) {
    if (child?.royaltyBps === undefined) break
    licences.push({ creator: parent.creator, royaltyBps: child.royaltyBps })
    child = parent
  }
  return licences
}
