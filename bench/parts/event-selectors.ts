import { toEventSelector } from 'viem'

/** The first topics of the synthetic events. */
export const eventSelectors = {
  Transfer: toEventSelector('Transfer(address,address,uint256)'),
  Minted: toEventSelector('Minted(uint256,address,bytes32,bytes32,uint256,uint256)'),
  Described: toEventSelector('Described(uint256,bytes32)'),
  Listed: toEventSelector('Listed(uint256,address,uint256,uint256,uint256,uint256)'),
  Rented: toEventSelector('Rented(uint256,address,address,address,uint256,uint256)'),
}
