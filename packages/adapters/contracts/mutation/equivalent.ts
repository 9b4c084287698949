/** Mutants that behave exactly as the original, by name, each with the reason. */
export const equivalents: Readonly<Record<string, string>> = {
  'src/Orders.sol neighbour of constant: 10_000 → 10001':
    'a lack of gas leaves some 1,000 and a refusal of the dollar far more, so both constants part them',
  'src/Orders.sol neighbour of constant: 10_000 → 9999':
    'a lack of gas leaves some 1,000 and a refusal of the dollar far more, so both constants part them',
  'src/libraries/Royalty.sol < to <=: royaltyBps < left → royaltyBps <= left':
    'where the two are equal, both give the same share',
  'src/libraries/Transfer.sol neighbour of constant: 0 → 1':
    'where the words of a payment begin does not matter, because there are none',
  'src/libraries/Transfer.sol neighbour of constant: 0 → 1 (3)':
    'where the answer to a payment goes does not matter, because none of it is copied',
  'src/libraries/TokenDocument.sol neighbour of constant: 0 → 1 (5)':
    'a byte beyond the end reaches only bits whose characters are padding',
}
