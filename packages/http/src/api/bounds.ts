/** The most accounts whose ENS names one request reads. */
export const mostEnsAccounts = 20

/** The most accounts whose profiles one request reads, and the most profiles that a search finds. */
export const mostProfiles = 50

/** The most tokens whose ratings one request counts. */
export const mostRatedTokens = 100

/** The most rentals of a token in one response. */
export const mostRentals = 100

/** The most tokens whose titles one request returns. */
export const mostTitledTokens = 100
