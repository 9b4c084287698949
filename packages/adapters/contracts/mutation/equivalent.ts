/** Mutants that no observer can tell from the original, by name, each with the reason. */
export const equivalents: Readonly<Record<string, string>> = {
  'src/MemoryMarketplace.sol neighbour of constant: 0 → 1 (13)':
    'where the words of a payment begin does not matter, because there are none',
  'src/MemoryMarketplace.sol neighbour of constant: 0 → 1 (15)':
    'where the answer to a payment goes does not matter, because none of it is copied',
  'src/MemoryMarketplace.sol neighbour of constant: 0 → 1 (16)':
    'one byte of the answer lands in scratch space, which nobody reads before writing it',
}
