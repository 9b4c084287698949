import { Failure } from '@heirloom/core'
import type { EncodedOrder } from '../orders/encode-order.ts'

/**
 * Requires that an order costs enough to be worth its gas.
 *
 * @throws `relay/underpriced`
 */
export function requirePrice({ price }: Pick<EncodedOrder, 'price'>, least: bigint): void {
  if (price < least)
    throw new Failure('relay/underpriced', { price: `${price}`, least: `${least}` })
}
