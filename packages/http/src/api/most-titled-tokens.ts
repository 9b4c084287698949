/** The most tokens whose titles one request returns. */
export const mostTitledTokens = 100
