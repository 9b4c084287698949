/** The declarations of the modules of other packages that entrances pass on, below `packages`. */
export const elsewhere: Readonly<Record<string, string>> = {
  '@heirloom/core': 'core/lib/index.d.ts',
  '@heirloom/adapters/internal/acts': 'adapters/lib/ledger/acts/index.d.ts',
  '@heirloom/adapters/internal/diff/change': 'adapters/lib/diff/change.d.ts',
  '@heirloom/adapters/internal/scan/finding': 'adapters/lib/scan/finding.d.ts',
  '@heirloom/adapters/internal/wallet': 'adapters/lib/wallet/index.d.ts',
}
