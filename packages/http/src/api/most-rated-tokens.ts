/** The most tokens whose ratings one request counts. */
export const mostRatedTokens = 100
