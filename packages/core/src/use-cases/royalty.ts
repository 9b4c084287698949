import type { Hex } from '../domain/hash.ts'
import type { Wei } from '../domain/money.ts'
import { royaltyPayment } from '../domain/royalty.ts'
import { existing, type TokenId } from '../domain/token.ts'
import type { Ports } from '../ports/ports.ts'

/**
 * Pays a royalty to the creator of a token.
 *
 * @throws `royalty/zero`, `token/not-found`, and what any write may fail with
 */
export async function royalty(
  { ledger }: Pick<Ports, 'ledger'>,
  { tokenId, amount }: royalty.Input,
): Promise<royalty.Output> {
  royaltyPayment(amount)
  existing(tokenId, await ledger.provenance(tokenId))

  return ledger.payRoyalty({ tokenId, amount })
}

export declare namespace royalty {
  type Input = { readonly tokenId: TokenId; readonly amount: Wei }
  type Output = { readonly txHash: Hex }
}
