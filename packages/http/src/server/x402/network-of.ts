import type { DollarDomain } from '@heirloom/adapters/internal/orders'

/** Returns the name of the chain of a dollar (CAIP-2), as x402 has it. */
export const networkOf = ({ chainId }: Pick<DollarDomain, 'chainId'>): `eip155:${number}` =>
  `eip155:${chainId}`
