/** Mutants that behave exactly as the original, by name, each with the reason. */
export const equivalents: Readonly<Record<string, string>> = {
  'src/MemoryMarketplace.sol neighbour of constant: 0 → 1 (13)':
    'where the words of a payment begin does not matter, because there are none',
  'src/MemoryMarketplace.sol neighbour of constant: 0 → 1 (15)':
    'where the answer to a payment goes does not matter, because none of it is copied',
  'src/MemoryMarketplace.sol neighbour of constant: 0 → 1 (16)':
    'one byte of the answer lands in scratch space, which nobody reads before writing it',
  'src/MemoryMarketplace.sol < to <=: from < block.timestamp → from <= block.timestamp':
    'where the two are equal, the assignment changes nothing',
  'src/libraries/Royalty.sol < to <=: royaltyBps < left → royaltyBps <= left':
    'where the two are equal, both give the same share',
  'src/libraries/TokenDocument.sol neighbour of constant: 0 → 1 (5)':
    'a byte beyond the end reaches only bits whose characters are padding',
}
