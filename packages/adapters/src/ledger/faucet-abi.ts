import { parseAbi } from 'viem'

/** The function of the test dollar that makes dollars for an account. */
export const faucetAbi = parseAbi(['function faucet(address to, uint256 amount)'])
