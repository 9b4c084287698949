import { encodeFunctionData, type Hex } from 'viem'
import {
  memoryMarketplaceAbi as abi,
  memoryRegistryAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import type { Act } from './act.ts'
import { encodeMint } from './encode-mint.ts'
import { encodeHeirAct, isHeirAct } from './heir-act.ts'
import type { Terms } from './listing-terms.ts'

/** The acts that call the registry; all others call the marketplace. */
export function isOfRegistry(act: Act): boolean {
  if (isHeirAct(act)) return act.kind !== 'take-over-credit'
  return act.kind === 'mint' || act.kind === 'transfer'
}

/** Encodes the call of an act of an account; a payment in dollars is an order and no such call. */
export function encodeAct(act: Act, account: Hex): Hex {
  if (isHeirAct(act)) return encodeHeirAct(act)
  switch (act.kind) {
    case 'buy':
      return encodeFunctionData({ abi, functionName: 'buy', args: [id(act), account] })
    case 'rent': {
      const args = [id(act), account, BigInt(act.days)] as const
      return encodeFunctionData({ abi, functionName: 'rent', args })
    }
    case 'fork': {
      const args = [id(act), account, BigInt(act.royaltyBps)] as const
      return encodeFunctionData({ abi, functionName: 'fork', args })
    }
    case 'list':
      return listing(act, act.terms)
    case 'take-down':
      return listing(act, nothing)
    case 'royalty':
      return encodeFunctionData({ abi, functionName: 'payRoyalty', args: [id(act)] })
    case 'withdraw': {
      const functionName = act.currency === 'dollar' ? 'withdrawDollars' : 'withdraw'
      return encodeFunctionData({ abi, functionName, args: [account] })
    }
    case 'transfer': {
      // The safe transfer refuses a contract that could not move the token on.
      const args = [account, act.to, id(act)] as const
      const functionName = 'safeTransferFrom'
      return encodeFunctionData({ abi: memoryRegistryAbi, functionName, args })
    }
    case 'mint':
      return encodeMint(act.seal)
  }
}

type OfToken = { readonly tokenId: string }

const id = ({ tokenId }: OfToken) => BigInt(tokenId)
const nothing: Terms = {
  ...{ currency: 'native', price: '0', rentalPricePerDay: '0' },
  ...{ forkPrice: '0', forkRoyaltyBps: 0 },
}

function listing(act: OfToken, terms: Terms): Hex {
  const { currency, price, rentalPricePerDay, forkPrice, forkRoyaltyBps } = terms
  const functionName = currency === 'dollar' ? 'listInDollars' : 'list'
  const amounts = [BigInt(price), BigInt(rentalPricePerDay), BigInt(forkPrice)] as const
  const args = [id(act), ...amounts, BigInt(forkRoyaltyBps)] as const
  return encodeFunctionData({ abi, functionName, args })
}
