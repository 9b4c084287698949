/**
 * The most gas of a payment to a seller and creators on a chain in this process. Each may have code,
 * which gets 100,000 gas; a fork of a token with eight claims pays nine accounts without code for less.
 */
export const gasOfPurchase = 400_000n
