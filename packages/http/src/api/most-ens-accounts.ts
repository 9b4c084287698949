/** The most accounts whose ENS names one request reads. */
export const mostEnsAccounts = 20
