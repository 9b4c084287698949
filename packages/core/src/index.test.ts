import { expect, test } from 'vitest'
import * as core from './index.ts'

test('the public surface is this', () => {
  expect(Object.keys(core).toSorted()).toMatchInlineSnapshot(`
    [
      "Failure",
      "account",
      "admit",
      "buy",
      "card",
      "challenge",
      "day",
      "decimalPattern",
      "deepest",
      "digest",
      "documentOf",
      "documentOfCard",
      "download",
      "existing",
      "failureCodes",
      "fork",
      "fromSeconds",
      "hash",
      "highestPrice",
      "instant",
      "isActive",
      "isFailure",
      "isObject",
      "linkOf",
      "list",
      "listableTerms",
      "listing",
      "longestCardBlock",
      "longestRental",
      "memoryService",
      "news",
      "nobody",
      "parseJson",
      "placeOf",
      "proofWindowSeconds",
      "provenance",
      "readCard",
      "readMembers",
      "rent",
      "rentalDays",
      "royalty",
      "royaltyDepth",
      "royaltyShare",
      "salt",
      "sameAccount",
      "sharesOf",
      "snapshot",
      "splitPrice",
      "storageUri",
      "toSeconds",
      "tokenId",
      "wei",
      "wholeBps",
      "wordsOf",
    ]
  `)
})

test('the service has seven verbs and two reads', () => {
  const service = core.memoryService({} as core.Ports)
  expect(Object.keys(service)).toEqual([
    'snapshot',
    'download',
    'list',
    'buy',
    'rent',
    'fork',
    'royalty',
    'provenance',
    'listing',
  ])
})
